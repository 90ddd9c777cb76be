import AVFoundation
import Testing
import UIKit
import os

/// Names of Foundation and the system that camera code takes for granted.
@Suite("Everyday names")
struct EverydayNameTests {
    private final class Listener: NSObject {
        let name: String
        init(_ name: String) { self.name = name }
        override func isEqual(_ object: Any?) -> Bool { (object as? Listener)?.name == name }
        override var hash: Int { name.hashValue }
    }

    @Test("a table of listeners forgets who is gone, and has equal ones once")
    func listeners() {
        let table = NSHashTable<AnyObject>.weakObjects()
        let kept = Listener("kept")
        do {
            let gone = Listener("gone")
            table.add(gone)
            table.add(kept)
            table.add(Listener("kept"))
            #expect(table.count == 2 && table.contains(gone) && table.contains(Listener("gone")))
        }
        #expect(table.allObjects.map { ($0 as? Listener)?.name } == ["kept"] && table.anyObject === kept)
        table.remove(kept)
        #expect(table.count == 0)
        let pointers = NSHashTable<Listener>(options: [.strongMemory, .objectPointerPersonality])
        pointers.add(Listener("a"))
        pointers.add(Listener("a"))
        #expect(pointers.count == 2)
        pointers.removeAllObjects()
        #expect(pointers.allObjects.isEmpty)
    }

    @Test("a map forgets an entry as its weak half is gone")
    func maps() {
        let map = NSMapTable<NSString, Listener>.strongToWeakObjects()
        let kept = Listener("kept")
        do {
            let gone = Listener("gone")
            map.setObject(gone, forKey: "a")
            map.setObject(kept, forKey: "b")
            #expect(map.count == 2 && map.object(forKey: "a") === gone)
        }
        #expect(map.object(forKey: "a") == nil && map.object(forKey: "b") === kept && map.count == 1)
        #expect(map.keyEnumerator().allObjects as? [NSString] == ["b"])
        let other = Listener("other")
        map.setObject(other, forKey: "b")
        #expect(map.objectEnumerator()?.nextObject() as? Listener === other && map.count == 1)
        map.removeObject(forKey: "b")
        #expect(map.object(forKey: "b") == nil)
    }

    /// Counter behind locks of the system's.
    private final class Counter: @unchecked Sendable {
        var count = 0
        var lock = os_unfair_lock()
    }

    @Test("locks keep four threads apart; that of an object may be taken twice by one")
    func locks() {
        let counter = Counter()
        let place = os_unfair_lock_t.allocate(capacity: 1)
        place.initialize(to: os_unfair_lock())
        defer { place.deallocate() }
        nonisolated(unsafe) let lock = place
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            for _ in 0..<20_000 {
                os_unfair_lock_lock(lock)
                counter.count += 1
                os_unfair_lock_unlock(lock)
            }
        }
        #expect(counter.count == 80_000)
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            for _ in 0..<5_000 {
                objc_sync_enter(counter)
                objc_sync_enter(counter)
                counter.count -= 4
                objc_sync_exit(counter)
                objc_sync_exit(counter)
            }
        }
        #expect(counter.count == 0 && objc_sync_exit(counter) == -1)
        #expect(os_unfair_lock_trylock(&counter.lock) && !os_unfair_lock_trylock(&counter.lock))
        os_unfair_lock_unlock(&counter.lock)
        #expect(os_unfair_lock_trylock(&counter.lock))
    }

    @Test("a text is looked up with its values, which stand where it says")
    func texts() throws {
        #expect(String(localized: "100 % sharp") == "100 % sharp")
        let (name, count) = ("maya", 3)
        #expect(String(localized: "\(name): \(count) of 100 %, \(1.5, specifier: "%.2f")") == "maya: 3 of 100 %, 1.50")
        #expect(String(localized: "key", defaultValue: "\(count) photos", comment: "x") == "3 photos")
        let folder = FileManager.default.temporaryDirectory.appending(path: "texts-\(UUID().uuidString).bundle")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let table = "\"%@ has %lld\" = \"%2$lld belong to %1$@\";\n\"hello\" = \"servus\";"
        try table.write(to: folder.appending(path: "Camera.strings"), atomically: true, encoding: .utf8)
        let bundle = try #require(Bundle(url: folder))
        #expect(String(localized: "hello", table: "Camera", bundle: bundle) == "servus")
        #expect(String(localized: "\(name) has \(count)", table: "Camera", bundle: bundle) == "3 belong to maya")
        let resource = LocalizedStringResource("hello", table: "Camera", bundle: .atURL(folder))
        #expect(String(localized: resource) == "servus" && String(localized: LocalizedStringResource("\(count)")) == "3")
    }

    @Test("geometry is an object; a dictionary is made of another; an attachment is kept by its buffer")
    @MainActor func objects() throws {
        #expect(NSValue(cgPoint: CGPoint(x: 1, y: 2)).cgPointValue == CGPoint(x: 1, y: 2))
        #expect(NSValue(cgSize: CGSize(width: 1, height: 2)).cgSizeValue == CGSize(width: 1, height: 2))
        let rect = CGRect(x: 1, y: 2, width: 3, height: 4)
        #expect(NSValue(cgRect: rect).cgRectValue == rect && UIApplication.shared.isProtectedDataAvailable)
        let entries: CFDictionary = ["a": 1]
        let more = NSMutableDictionary(dictionary: entries)
        more["b"] = 2
        #expect(more.count == 2 && NSDictionary(dictionary: more) == more)
        // AVFoundation alone brings AVFAudio with it, as on a phone.
        let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1)
        #expect(format?.channelCount == 1)
    }

    @Test("a copied file loses the properties that are null, within dictionaries too, and keeps the others")
    func nulls() throws {
        let context = try #require(
            CGContext(
                data: nil, width: 2, height: 2, bitsPerComponent: 8, bytesPerRow: 0, space: CGColorSpaceCreateDeviceRGB(),
                bitmapInfo: CGImageAlphaInfo.noneSkipLast.rawValue))
        let first = NSMutableData()
        let made = try #require(CGImageDestinationCreateWithData(first, "public.jpeg" as CFString, 1, nil))
        let tiff = [kCGImagePropertyTIFFMake: "Apple", kCGImagePropertyTIFFArtist: "Maya"]
        let properties: [CFString: Any] = [
            kCGImagePropertyTIFFDictionary: tiff, kCGImagePropertyGPSDictionary: [kCGImagePropertyGPSLatitudeRef: "N"],
        ]
        CGImageDestinationAddImage(made, try #require(context.makeImage()), properties as CFDictionary)
        CGImageDestinationFinalize(made)
        let source = try #require(CGImageSourceCreateWithData(first, nil))
        let second = NSMutableData()
        let copied = try #require(CGImageDestinationCreateWithData(second, "public.jpeg" as CFString, 1, nil))
        let wishes: [CFString: Any] = [
            kCGImagePropertyGPSDictionary: kCFNull as Any, kCGImagePropertyTIFFDictionary: [kCGImagePropertyTIFFArtist: kCFNull as Any],
        ]
        CGImageDestinationAddImageFromSource(copied, source, 0, wishes as CFDictionary)
        CGImageDestinationFinalize(copied)
        let read = try #require(CGImageSourceCreateWithData(second, nil).flatMap { CGImageSourceCopyPropertiesAtIndex($0, 0, nil) })
        let kept = read[kCGImagePropertyTIFFDictionary] as? [CFString: Any]
        #expect(kept?["Make"] as? String == "Apple" && kept?["Artist"] == nil && read[kCGImagePropertyGPSDictionary] == nil)
    }
}
