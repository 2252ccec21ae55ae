# Completes `python build.py ...` and `./build.py ...` of Puzzlepress in zsh.
# Written by: python build.py completion zsh

(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
typeset -gA _puzzlepress_former

_puzzlepress() {
    local place=2 file kind value help
    local -a run found
    [[ ${words[1]:t} == build.py ]] && place=1
    run=("${(@Q)words[1,place]}")
    run=("${(@)run/#\~\//$HOME/}")
    file=$run[place]
    if (( CURRENT <= place )) || [[ ${file:t} != build.py || ! -f ${file:h}/site_builder/commands/completion/build.zsh ]]; then
        ${_puzzlepress_former[${words[1]:t}]:-_files}
        return
    fi
    while IFS=$'\t' read -r kind value help; do
        case $kind in
            plain) found+=("${value//:/\\:}${help:+:$help}") ;;
            dir) compset -P '--*='; _path_files -/ ;;
            file) compset -P '--*='; _files ;;
        esac
    done < <("${(@)run}" completion zsh -- "${(@Q)words[place+1,CURRENT]}" 2>/dev/null)
    (( $#found )) && _describe -V 'build.py' found
}

() {
    local name
    for name in build.py python python3 python3.{11..15}; do
        [[ ${_comps[$name]:-_puzzlepress} != _puzzlepress ]] && _puzzlepress_former[$name]=$_comps[$name]
        compdef _puzzlepress $name
    done
}
