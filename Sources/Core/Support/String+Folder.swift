extension String {
    /// The folder of a path, as `NSString.deletingLastPathComponent` gives it, which traps on a relative path of one letter (swift-corelibs-foundation of Swift
    /// 6.3): empty for a name alone, "/" for what lies in the root.
    package var folder: String {
        let trimmed = count > 1 && hasSuffix("/") ? dropLast() : self[...]
        guard let slash = trimmed.lastIndex(of: "/") else { return "" }
        return slash == trimmed.startIndex ? "/" : String(trimmed[..<slash])
    }
}
