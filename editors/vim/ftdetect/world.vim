autocmd BufNewFile,BufRead *.world setfiletype world
