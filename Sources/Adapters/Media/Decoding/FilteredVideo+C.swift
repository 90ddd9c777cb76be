internal import CFFmpeg
import Foundation
import Pipeline

/// Decoded pictures of a file, deinterlaced where they are fields (bwdif), and tone-mapped where that is asked for.
final class FilteredVideo {
    private let decoder: VideoDecoder
    private let toneMaps: Bool
    private var filter: FrameFilter?
    /// First picture, which decides the filters; nil once it is taken.
    private var pending: FFmpegFrame?
    private var hasBegun = false
    private var isAtEnd = false
    /// Whether pictures are made of two fields each.
    private(set) var isInterlaced = false

    /// - Parameter toneMaps: whether HLG and PQ become BT.709.
    init(_ decoder: VideoDecoder, toneMaps: Bool) {
        self.decoder = decoder
        self.toneMaps = toneMaps && decoder.coding.colors.isHDR
    }

    /// The next picture; nil at the end.
    func next() throws(MediaError) -> FFmpegFrame? {
        if !hasBegun { try begin() }
        guard let filter else {
            let frame = try takeFrame()
            if let frame { try checkFields(frame) }
            return frame
        }
        while true {
            if let frame = try filter.receive() { return frame }
            if isAtEnd { return nil }
            let frame = try takeFrame()
            isAtEnd = frame == nil
            try filter.send(frame)
        }
    }

    /// Goes to the last key frame at or before a time in ticks; false where the container cannot find it, and where pictures depend on those before by a
    /// filter.
    func seek(to ticks: Int64) throws(MediaError) -> Bool {
        if !hasBegun { try begin() }
        guard filter == nil, decoder.seek(to: ticks) else { return false }
        pending = nil
        return true
    }

    /// Coding of the pictures with what the first of them says of their light, which a container may not repeat.
    func lightOfFirst(_ coding: PictureCoding) throws(MediaError) -> PictureCoding {
        if !hasBegun { try begin() }
        guard let pending else { return coding }
        return coding.withLight(
            display: pending.sideData(AV_FRAME_DATA_MASTERING_DISPLAY_METADATA, as: AVMasteringDisplayMetadata.self),
            light: pending.sideData(AV_FRAME_DATA_CONTENT_LIGHT_LEVEL, as: AVContentLightMetadata.self))
    }

    private func takeFrame() throws(MediaError) -> FFmpegFrame? {
        guard let frame = pending else { return try decoder.next() }
        pending = nil
        return frame
    }

    private func begin() throws(MediaError) {
        hasBegun = true
        guard let first = try decoder.next() else { return isAtEnd = true }
        pending = first
        let fields = decoder.fieldOrder
        let isMarked = first.pointer.pointee.interlaced_frame != 0
        isInterlaced = isMarked || fields.isInterlaced
        var filters: [String] = []
        if isInterlaced {
            // A stream of which only the container says that it holds fields has pictures that do not say so.
            filters.append(
                "bwdif=mode=send_frame:parity=\(isMarked ? "auto" : fields.isTopFirst ? "tff" : "bff"):deint=\(isMarked ? "interlaced" : "all")")
        }
        if toneMaps { filters.append(Self.toneMapping) }
        if !filters.isEmpty {
            filter = try FrameFilter(filters.joined(separator: ","), like: first, timeBase: decoder.timeBase, path: decoder.path)
        }
    }

    /// Linear light with 100 cd/m² at 1, in BT.709's primaries, its highlights rolled off by a Möbius transform, as 10-bit BT.709.
    ///
    /// White at 203 cd/m² (ITU-R BT.2408) comes to 218 of 235; the filmic curve `hable` left it at 151.
    private static let toneMapping =
        "zscale=transfer=linear:npl=100,format=gbrpf32le,zscale=primaries=bt709,tonemap=mobius:desat=0,"
        + "zscale=transfer=bt709:matrix=bt709:range=limited,format=yuv420p10le"

    private func checkFields(_ frame: FFmpegFrame) throws(MediaError) {
        guard frame.pointer.pointee.interlaced_frame != 0 else { return }
        throw MediaError(
            code: .unsupported, path: decoder.path,
            reason: "is interlaced from frame \(decoder.frameCount - 1) on, but not before; deinterlace it first: ffmpeg -i IN -vf bwdif OUT")
    }
}

extension VideoDecoder {
    /// Order of the fields as the container or the headers say it.
    fileprivate var fieldOrder: (isInterlaced: Bool, isTopFirst: Bool) {
        switch parameters.field_order {
        case AV_FIELD_TT, AV_FIELD_BT: (true, true)
        case AV_FIELD_BB, AV_FIELD_TB: (true, false)
        default: (false, true)
        }
    }
}
