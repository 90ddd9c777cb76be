import Foundation

extension AVMetadataItem {
    /// Returns those of some items that bear a name.
    public class func metadataItems(
        from metadataItems: [AVMetadataItem], filteredByIdentifier identifier: AVMetadataIdentifier
    ) -> [AVMetadataItem] { metadataItems.filter { $0.identifier == identifier } }

    /// The item under its name in the name space of all formats; nil for one that has none there.
    package var common: AVMetadataItem? {
        guard let parts = identifier?.parts else { return nil }
        if parts.keySpace == "comn" { return self }
        let names = ["creationdate": "creationDate", "location.ISO6709": "location"]
        let known = ["title", "software", "make", "model", "author", "description"]
        guard parts.keySpace == "mdta", parts.key.hasPrefix("com.apple.quicktime.") else { return nil }
        let name = String(parts.key.dropFirst("com.apple.quicktime.".count))
        guard let common = names[name] ?? (known.contains(name) ? name : nil) else { return nil }
        let item = AVMutableMetadataItem()
        (item.identifier, item.value, item.extendedLanguageTag) = (AVMetadataIdentifier("comn/\(common)"), value, extendedLanguageTag)
        return item
    }
}
