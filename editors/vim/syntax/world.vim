" Vim syntax of worlds. Made by editors/grammars.py: change that.
if exists('b:current_syntax') | finish | endif
syn keyword worldDeclaration part field fn record use let var
syn keyword worldConstant true false none self
syn keyword worldKeyword each while break continue return in if else
syn keyword worldType number fraction meters degrees angle seconds anyQuantity metersOrNumber int u32 seed bool name text design path anyPart point place direction offset color vector List
syn match worldModifier /^\s*\%(private\|extern\|intrinsic\|contract\|type\|check\)\%(\s\+[\"A-Za-z]\)\@=/
syn match worldModifier /^world\s\+version\>/
syn match worldModifier /\<\%(one\s\+of\|given\)\%(\s*(\)\@=/
syn match worldArgument /\.\@1<!\<[A-Za-z_]\w*:\@=/
syn match worldMember /\.[A-Za-z_]\w*/
syn match worldNumber /\<\%(0x[0-9A-Fa-f_]\+\|[0-9][0-9_]*\%(\.[0-9][0-9_]*\)\?\%([eE][+-]\?[0-9]\+\)\?\)\%(\s*\%(turn\|deg\|min\|rad\|Hz\|cm\|km\|mm\|ms\|h\|m\|s\)\w@!\%(\^-\?\d\+\)\?\%(\/\%(turn\|deg\|min\|rad\|Hz\|cm\|km\|mm\|ms\|h\|m\|s\)\w@!\%(\^-\?\d\+\)\?\)*\)\?/
syn region worldText start=/"/ skip=/\\\\\|\\"/ end=/"\|$/ contains=worldHole,worldEscape
syn match worldEscape /\\[^{]/ contained
syn region worldHole matchgroup=worldEscape start=/\\{/ end=/}\|$/ contained contains=TOP
syn match worldComment /\/\/.*$/
syn match worldDoc /\/\/\/.*$/
hi def link worldDeclaration Keyword
hi def link worldKeyword Keyword
hi def link worldModifier StorageClass
hi def link worldConstant Constant
hi def link worldType Type
hi def link worldArgument Identifier
hi def link worldNumber Number
hi def link worldText String
hi def link worldEscape Special
hi def link worldComment Comment
hi def link worldDoc SpecialComment
let b:current_syntax = 'world'
