extension String {
    /// Fit for a terminal and for XML: control characters, those that turn the direction of writing, and noncharacters as `\u{1b}`; lines and
    /// tabs stay.
    package var printable: String {
        guard unicodeScalars.contains(where: \.isUnprintable) else { return self }
        var text = ""
        for scalar in unicodeScalars {
            if scalar.isUnprintable { text += "\\u{\(String(scalar.value, radix: 16))}" } else { text.unicodeScalars.append(scalar) }
        }
        return text
    }
}

extension Unicode.Scalar {
    fileprivate var isUnprintable: Bool {
        switch value {
        case 0x09, 0x0a: false
        case 0..<0x20, 0x7f..<0xa0, 0x200e...0x200f, 0x202a...0x202e, 0x2066...0x2069, 0xfffe...0xffff: true
        default: false
        }
    }
}
