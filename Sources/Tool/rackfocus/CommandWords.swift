import Foundation
import Support

/// Words of the command line as the system hands them over.
enum CommandWords {
    /// All words, the program's own name first. Throws `UsageError` for one that is not UTF-8: Swift would replace its bytes, and another file would
    /// be meant.
    static func checked() throws -> [String] {
        try (0..<Int(CommandLine.argc)).map { index in
            guard let start = CommandLine.unsafeArgv[index] else { return "" }
            let bytes = UnsafeBufferPointer(start: start, count: strlen(start)).map { UInt8(bitPattern: $0) }
            guard let word = String(validating: bytes, as: UTF8.self) else {
                let shown = DirectoryListing.escaped(bytes)
                throw UsageError("word \(index) of the command line, \"\(shown)\", is not UTF-8; rename the file, or name it through a link")
            }
            return word
        }
    }
}
