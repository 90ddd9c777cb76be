import Foundation

/// Container of a movie, after its file's extension.
public enum MovieContainer: String, Sendable, CaseIterable {
    /// QuickTime; `.mov` and `.qt`.
    case mov
    /// MPEG-4, part 14; `.mp4` and `.m4v`.
    case mp4
    /// Matroska, whose times are whole milliseconds; `.mkv`.
    case mkv

    /// Nil for an extension of none of them.
    public init?(_ path: String) {
        switch (path as NSString).pathExtension.lowercased() {
        case "mov", "qt": self = .mov
        case "mp4", "m4v": self = .mp4
        case "mkv": self = .mkv
        default: return nil
        }
    }

    /// FFmpeg's name of its muxer.
    var muxer: String { self == .mkv ? "matroska" : rawValue }

    /// Whether it is a file of boxes (ISO/IEC 14496-12).
    var isBoxed: Bool { self != .mkv }

    /// Whether it has a place for a coding of pictures.
    func holds(_ codec: DeliveryOptions.Codec) -> Bool {
        switch codec {
        case .h264, .hevc: true
        case .prores, .ffv1: self != .mp4
        case .png, .tiff, .exr: false
        }
    }
}
