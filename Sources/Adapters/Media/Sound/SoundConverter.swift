import Pipeline

/// Converter of sound that comes in parts: what goes out may come later and in other parts, at its own times.
protocol SoundConverter: AnyObject {
    /// Converts sound that follows the one before; after a gap, what was held back comes first.
    func convert(_ sound: Sound) throws(MediaError) -> [Sound]
    /// Returns what is held back, and begins anew.
    func finish() throws(MediaError) -> [Sound]
}

extension [any SoundConverter] {
    /// Converts sound, by one after the other.
    func convert(_ sound: Sound) throws(MediaError) -> [Sound] {
        var sounds = [sound]
        for converter in self { sounds = try Self.convert(sounds, by: converter) }
        return sounds
    }

    /// Returns what all of them hold back.
    func finish() throws(MediaError) -> [Sound] {
        var rest: [Sound] = []
        for converter in self {
            rest = try Self.convert(rest, by: converter)
            rest += try converter.finish()
        }
        return rest
    }

    private static func convert(_ sounds: [Sound], by converter: any SoundConverter) throws(MediaError) -> [Sound] {
        var converted: [Sound] = []
        for sound in sounds { converted += try converter.convert(sound) }
        return converted
    }
}
