import Foundation
import Support

extension [InputFile.Edit] {
    /// Writes the bytes at their places into a file that is there; throws `OutputError` with the verb of the step.
    func write(to path: String, action: String) throws(OutputError) {
        guard !isEmpty else { return }
        let descriptor = SystemCall.repeated { open(path, O_WRONLY | O_CLOEXEC) }
        guard descriptor >= 0 else { throw OutputError(errno: errno, path: path, action: action) }
        var failure: Int32?
        for edit in self where failure == nil { failure = SystemCall.write(edit.bytes, to: descriptor, at: edit.offset) }
        failure = SystemCall.close(descriptor) ?? failure
        if let failure { throw OutputError(errno: failure, path: path, action: action) }
    }
}
