import Foundation
import Pipeline

/// Encoder of EXIF 2.32 data: a TIFF file without a picture, big-endian.
enum EXIF {
    static func data(of photo: PhotoDescription, width: Int, height: Int) -> Data {
        let date = format(photo.date)
        var camera: [Entry] = [
            Entry(0x110, .text(photo.camera)), Entry(0x112, .short(photo.orientation)), Entry(0x131, .text("rackfocus")), Entry(0x132, .text(date)),
        ]
        var picture: [Entry] = []
        if let exposure = photo.exposure { picture.append(Entry(0x829A, .fraction(shutter(exposure.duration)))) }
        if let fNumber = photo.fNumber { picture.append(Entry(0x829D, .fraction(fraction(fNumber, over: 100)))) }
        if let exposure = photo.exposure { picture.append(Entry(0x8827, .short(Int(exposure.iso.rounded())))) }
        picture += [
            Entry(0x9000, .bytes("0232")), Entry(0x9003, .text(date)), Entry(0x9011, .text("+00:00")), Entry(0x9291, .text(milliseconds(photo.date))),
            Entry(0xA001, .short(1)), Entry(0xA002, .long(width)), Entry(0xA003, .long(height)),
        ]
        if let focalLength = photo.focalLength { picture.append(Entry(0xA405, .short(Int(focalLength.rounded())))) }
        let header = Data([0x4D, 0x4D, 0, 42, 0, 0, 0, 8])
        camera.append(Entry(0x8769, .long(0)))
        let start = header.count + directory(camera, at: header.count).count
        camera[camera.count - 1] = Entry(0x8769, .long(start))
        return header + directory(camera, at: header.count) + directory(picture, at: start)
    }

    private struct Entry {
        let tag: UInt16
        let value: Value

        init(_ tag: UInt16, _ value: Value) { (self.tag, self.value) = (tag, value) }
    }

    private enum Value {
        case text(String)
        case bytes(String)
        case short(Int)
        case long(Int)
        case fraction((UInt32, UInt32))

        /// TIFF's type number, the count and the bytes of the value.
        var content: (type: UInt16, count: Int, bytes: Data) {
            switch self {
            case .text(let text): (2, text.utf8.count + 1, Data(text.utf8) + [0])
            case .bytes(let text): (7, text.utf8.count, Data(text.utf8))
            case .short(let number): (3, 1, big(UInt16(clamping: number)))
            case .long(let number): (4, 1, big(UInt32(clamping: number)))
            case .fraction(let (top, bottom)): (5, 1, big(top) + big(bottom))
            }
        }
    }

    /// Image file directory (IFD) at `offset` bytes into the file, followed by values longer than four bytes.
    private static func directory(_ entries: [Entry], at offset: Int) -> Data {
        var (table, rest) = (big(UInt16(entries.count)), Data())
        let restStart = offset + 2 + 12 * entries.count + 4
        for entry in entries {
            let (type, count, bytes) = entry.value.content
            table += big(entry.tag) + big(type) + big(UInt32(count))
            if bytes.count <= 4 {
                table += bytes + Data(count: 4 - bytes.count)
            } else {
                table += big(UInt32(restStart + rest.count))
                rest += bytes + Data(count: bytes.count % 2)
            }
        }
        return table + Data(count: 4) + rest
    }

    private static func big(_ value: some FixedWidthInteger) -> Data { withUnsafeBytes(of: value.bigEndian) { Data($0) } }

    private static func fraction(_ value: Double, over bottom: Double) -> (UInt32, UInt32) {
        (UInt32(max(0, min(value * bottom, 4e9)).rounded()), UInt32(bottom))
    }

    /// Shutter time as a fraction: 1/60 where that is exact, else microseconds.
    private static func shutter(_ seconds: Double) -> (UInt32, UInt32) {
        let parts = (1 / max(seconds, 1e-9)).rounded()
        return parts > 0 && abs(1 / parts - seconds) < 1e-9 ? (1, UInt32(parts)) : fraction(seconds, over: 1_000_000)
    }

    private static func format(_ date: Date) -> String {
        let formatter = DateFormatter()
        (formatter.locale, formatter.timeZone) = (Locale(identifier: "en_US_POSIX"), TimeZone(identifier: "UTC"))
        formatter.dateFormat = "yyyy:MM:dd HH:mm:ss"
        return formatter.string(from: Date(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate.rounded(.down)))
    }

    private static func milliseconds(_ date: Date) -> String {
        let seconds = date.timeIntervalSinceReferenceDate
        return String(format: "%03d", min(999, Int((seconds - seconds.rounded(.down)) * 1000)))
    }
}
