internal import CFFmpeg
import Foundation

/// ICC profile of red, green and blue (ICC.1:2022), as a still's file holds it: it goes along to what is made of the picture, byte by byte.
struct ICCProfile: Sendable, Equatable {
    let data: Data

    /// Nil for bytes that are no profile, and for one of grey or ink.
    init?(_ data: Data) {
        guard data.count >= 132, data[36..<40].elementsEqual("acsp".utf8), data[16..<20].elementsEqual("RGB ".utf8) else { return nil }
        self.data = data
    }

    /// Of a decoded picture; nil where its file holds none.
    init?(of frame: FFmpegFrame) {
        guard let side = av_frame_get_side_data(frame.pointer, AV_FRAME_DATA_ICC_PROFILE), let bytes = side.pointee.data else { return nil }
        self.init(Data(bytes: bytes, count: side.pointee.size))
    }

    /// Gives it to a picture that an encoder of PNG is to write.
    func attach(to frame: FFmpegFrame, path: String) throws(MediaError) {
        guard let side = av_frame_new_side_data(frame.pointer, AV_FRAME_DATA_ICC_PROFILE, data.count) else { throw FFmpeg.outOfMemory(path) }
        data.copyBytes(to: side.pointee.data, count: data.count)
    }

    /// A TIFF file of one picture, least byte first, with the profile as its tag 34675 (ICC.1, annex B.4): the directory moves to the end.
    func inserted(into tiff: Data) -> Data {
        func number(_ place: Int, bytes: Int) -> Int { (0..<bytes).reversed().reduce(0) { $0 << 8 | Int(tiff[place + $1]) } }
        func bytes(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
        let (tag, undefined) = (34675, 7)
        let directory = number(4, bytes: 4)
        let count = number(directory, bytes: 2)
        var entries = (0..<count).map { tiff[directory + 2 + 12 * $0..<directory + 14 + 12 * $0] }
        var file = tiff
        file.append(contentsOf: Data(count: tiff.count % 2))
        let place = file.count
        file.append(data)
        file.append(contentsOf: Data(count: data.count % 2))
        let entry = Data(bytes(tag, 2) + bytes(undefined, 2) + bytes(data.count, 4) + bytes(place, 4))
        let behind = entries.firstIndex { Int($0[$0.startIndex]) | Int($0[$0.startIndex + 1]) << 8 > tag } ?? count
        entries.insert(entry, at: behind)
        file.replaceSubrange(4..<8, with: bytes(file.count, 4))
        file.append(contentsOf: bytes(entries.count, 2) + entries.joined() + bytes(0, 4))
        return file
    }

    /// Its primaries as light of D65's white: the colorants, which are adapted to D50, adapted back (Bradford). Nil for a profile of tables.
    var chromaticities: EXRChromaticities? {
        let fromD50: [[Double]] = [[0.9555766, -0.0230393, 0.0631636], [-0.0282895, 1.0099416, 0.0210077], [0.0122982, -0.0204830, 1.3299098]]
        var values: [Float] = []
        for name in ["rXYZ", "gXYZ", "bXYZ"] {
            guard let place = place(of: name, size: 20) else { return nil }
            let adapted = (0..<3).map { Double(Int32(bitPattern: UInt32(number(place + 8 + 4 * $0)))) / 65536 }
            let light = fromD50.map { row in zip(row, adapted).reduce(0) { $0 + $1.0 * $1.1 } }
            let sum = light.reduce(0, +)
            guard sum > 0 else { return nil }
            values += [Float(light[0] / sum), Float(light[1] / sum)]
        }
        return EXRChromaticities(values: values + EXRChromaticities.white)
    }

    /// Place of a tag's content of at least so many bytes.
    private func place(of name: String, size: Int) -> Int? {
        for index in 0..<min(number(128), (data.count - 132) / 12) {
            let entry = 132 + 12 * index
            let place = number(entry + 4)
            if data[entry..<entry + 4].elementsEqual(name.utf8), place <= data.count - size { return place }
        }
        return nil
    }

    /// Four bytes, most significant first.
    private func number(_ place: Int) -> Int { data[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
}
