import Foundation

/// A tmpfs of a few kilobytes, mounted for one test.
public final class SmallDisk {
    private let scratch: Scratch
    public var url: URL { scratch.url }

    public static let isPossible: Bool = {
        do { _ = try SmallDisk(kilobytes: 16) } catch { return false }
        return true
    }()

    /// Throws `POSIXError` when this process may not mount.
    public init(kilobytes: Int) throws {
        scratch = try Scratch()
        guard Foundation.mount("none", scratch.path, "tmpfs", 0, "size=\(kilobytes)k") == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
    }

    deinit { umount2(scratch.path, 2) }

    public func callAsFunction(_ name: String) -> String { scratch(name) }
    public var names: [String] { get throws { try scratch.names } }
}
