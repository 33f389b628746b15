// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The shell completion scripts: those that ArgumentParser generates, with safe functions for offering words.
///
/// Words include album titles and names of untrusted extensions. The generated function for bash expands them and
/// therefore runs embedded commands. The one for zsh splits them at colons.
enum CompletionScript {
    /// Returns the generated script with its functions replaced.
    ///
    /// - Throws: `CommandEnd` if the script has an unexpected form, rather than returning an unsafe one.
    static func replacingFunctions(in script: String, for shell: CompletionShell) throws -> String {
        switch shell {
        case .bash:
            // Words are file names only for file arguments. Otherwise bash would append a slash to a word such
            // as "list" if there is a folder of that name.
            try replacing("__edithost_add_completions", in: script, by: bashOffers)
                .replacing("\ncomplete -o filenames -F ", with: "\ncomplete -F ")
        case .zsh:
            try replacing(
                "__edithost_custom_complete",
                in: replacing("__edithost_complete", in: script, by: zshOffers), by: zshRequest)
        // fish quotes inserted words and does not expand the output of a command.
        default: script
        }
    }

    private static func replacing(
        _ name: String, in script: String, by function: String
    ) throws -> String {
        guard let start = script.firstRange(of: "\n\(name)() {\n"),
            let end = script[start.upperBound...].firstRange(of: "\n}\n")
        else {
            throw CommandEnd(
                status: .failed,
                message: "cannot write the completion script: the generated script has no "
                    + "function \(name)")
        }
        return String(script[..<start.lowerBound]) + function + script[end.upperBound...]
    }

    /// Takes `-W` and words, one per line, or other options of `compgen`.
    private static let bashOffers = #"""

        __edithost_add_completions() {
            local completion
            if [[ "${1}" != -W ]]; then
                compopt -o filenames 2>/dev/null
                while IFS='' read -r completion; do
                    COMPREPLY+=("${completion}")
                done < <(IFS=$'\n' compgen "${@}" -- "${cur}")
                return
            fi

            # Words come from libraries and extensions: nothing may expand them, now or when the line is run. They are
            # quoted here, because readline leaves the dollar signs of words that are names of no files as they are.
            compopt +o filenames 2>/dev/null
            local before="${COMP_LINE:0:${COMP_POINT}}"
            before="${before%"${cur}"}"
            local quote="${before: -1}"
            [[ "${quote}" == [\'\"] ]] || quote=''
            local quoted
            while IFS='' read -r completion; do
                case "${quote}" in
                \')
                    quoted="${completion//\'/\'\\\'\'}"
                    ;;
                \")
                    quoted="${completion//\\/\\\\}"
                    quoted="${quoted//\"/\\\"}"
                    quoted="${quoted//\$/\\\$}"
                    quoted="${quoted//\`/\\\`}"
                    quoted="${quoted//!/\"\\!\"}"
                    ;;
                *)
                    printf -v quoted %q "${completion}"
                    quoted="${quoted//:/\\:}"
                    ;;
                esac
                # Readline closes a quote, but not after a character that is one.
                [[ -n "${quote}" && "${quoted: -1}" == "${quote}" ]] && quoted+="${quote}"
                if [[ -n "${completion}" && ("${completion}" == "${cur}"* || "${quoted}" == "${cur}"*) ]]; then
                    COMPREPLY+=("${quoted}")
                fi
            done <<<"${2}"
        }

        """#

    private static let zshOffers = #"""

        __edithost_complete() {
            # Without the option, exclamation marks are not quoted, which stand for earlier lines.
            setopt localoptions banghist
            compadd -V '' -- "${@}"
        }

        """#

    private static let zshRequest = #"""

        __edithost_custom_complete() {
            local -a completions
            completions=("${(@f)"$("${command_name}" "${@}" "${command_line[@]}")"}")
            # The last is a blank, which keeps an empty one before it.
            __edithost_complete "${(@)completions[1,-2]}"
        }

        """#
}
