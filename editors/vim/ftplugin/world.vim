" As worldc fmt writes texts.
setlocal commentstring=//\ %s comments=:///,:// shiftwidth=2 softtabstop=2 expandtab autoindent textwidth=0
let b:undo_ftplugin = 'setlocal commentstring< comments< shiftwidth< softtabstop< expandtab< autoindent< textwidth<'
