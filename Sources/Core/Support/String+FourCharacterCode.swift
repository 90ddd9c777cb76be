extension String {
    /// Four-character code, as of a pixel format, as text.
    package init(fourCharacterCode code: UInt32) {
        self.init(decoding: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: code >> $0) }, as: UTF8.self)
    }
}
