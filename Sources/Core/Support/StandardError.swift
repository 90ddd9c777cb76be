import Foundation

/// Standard error of a program. Where that cannot be written, there is nobody left to tell.
package enum StandardError {
    /// Writes a line as it is fit for a terminal (`String.printable`).
    package static func print(_ line: String) { _ = StandardOutput.write(line.printable + "\n", to: STDERR_FILENO) }

    /// Writes a text as it is, control sequences included.
    package static func printRaw(_ text: String) { _ = StandardOutput.write(text, to: STDERR_FILENO) }
}
