# SPDX-License-Identifier: MIT
# Completion of rhomb's commands and options for fish. The program lists them, and what may follow an
# option: words, FILE for a file, - for any other value.

function __rhomb_complete
    set -l words (commandline -opc)
    set -l word (commandline -ct)
    set -l before $words[-1]
    set -l listed
    if test (count $words) -eq 1
        or string match -q '2 help' -- (count $words)" $before"
        $words[1] help 2>/dev/null | string replace -rf -- '^  ([a-z]+)  +(.*)' '$1\t$2'
        test (count $words) -ne 1
        or printf '%s\n' --help --version
        return
    end
    for line in ($words[1] help completion 2>/dev/null)
        set -l row (string split ' ' -- $line)
        test $row[1] = $words[2]
        or continue
        set -a listed $row[3]
        set -q row[4]
        and contains -- $before $row[2..3]
        or continue
        for value in $row[4..-1]
            switch "$value"
                case FILE
                    __fish_complete_path $word
                case -
                    test (count $row) -eq 4
                    or echo -- -
                case '*'
                    printf '%s\n' $value
            end
        end
        return
    end
    if string match -q -- '-*' $word
        or contains -- $words[2] devices help
        printf '%s\n' $listed
    else
        __fish_complete_path $word
    end
end

complete -c rhomb -f -a '(__rhomb_complete)'
