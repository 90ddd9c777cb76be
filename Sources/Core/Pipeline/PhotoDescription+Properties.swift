import Foundation
import Support

extension PhotoDescription {
    /// Properties under ImageIO's keys of a photo of this size in pixels.
    package func properties(width: Int, height: Int) -> [String: Any] {
        let date = Self.format(date)
        var exif: [String: Any] = [
            "DateTimeOriginal": date, "OffsetTimeOriginal": "+00:00", "SubsecTimeOriginal": milliseconds, "ColorSpace": 1, "PixelXDimension": width,
            "PixelYDimension": height,
        ]
        exif.merge(exposure?.exif ?? [:]) { $1 }
        (exif["FNumber"], exif["ApertureValue"]) = (fNumber, fNumber.map { 2 * log2($0) })
        exif["FocalLenIn35mmFilm"] = focalLength.map { Int($0.rounded()) }
        let tiff: [String: Any] = ["Model": camera, "Orientation": orientation, "Software": "rackfocus", "DateTime": date]
        return ["Orientation": orientation, "{Exif}": exif, "{TIFF}": tiff]
    }

    /// EXIF data of a file of this size in pixels; empty for none.
    package func exif(width: Int, height: Int) -> Data { replacement ?? Self.exif(properties(width: width, height: height)) }

    /// EXIF 2.32 data of properties under ImageIO's keys; empty where there are none that EXIF has.
    package static func exif(_ properties: [String: Any]) -> Data {
        guard !properties.isEmpty else { return Data() }
        var properties = properties
        var exif = properties["{Exif}"] as? [String: Any] ?? [:]
        exif["ExifVersion"] = "0232".utf8.map { Int($0) }
        properties["{Exif}"] = exif
        return EXIFWriter(properties: properties).data ?? Data()
    }

    /// In UTC.
    private static func format(_ date: Date) -> String {
        let formatter = DateFormatter()
        (formatter.locale, formatter.timeZone) = (Locale(identifier: "en_US_POSIX"), TimeZone(identifier: "UTC"))
        formatter.dateFormat = "yyyy:MM:dd HH:mm:ss"
        return formatter.string(from: Date(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate.rounded(.down)))
    }

    private var milliseconds: String {
        let seconds = date.timeIntervalSinceReferenceDate
        return String(format: "%03d", min(999, Int((seconds - seconds.rounded(.down)) * 1000)))
    }
}
