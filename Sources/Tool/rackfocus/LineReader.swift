import Foundation
import Support

/// Lines of a descriptor, as they come.
struct LineReader {
    let descriptor: Int32
    private var unread: [UInt8] = []

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// The next line without its end; nil when there is no more whole one.
    mutating func next() -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 1 << 12)
        while true {
            if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                defer { unread.removeSubrange(...end) }
                return Array(unread[..<end])
            }
            let count = SystemCall.repeated { read(descriptor, &bytes, bytes.count) }
            guard count > 0 else { return nil }
            unread += bytes[..<count]
        }
    }
}
