import ClientApp
import Foundation
import Testing

@Suite("An actor derived from NSObject")
struct ActorBaseTests {
    @Test("is an NSObject with a hash and an identity of its own")
    func object() {
        let (one, other) = (FrameTally(), FrameTally())
        let object: NSObject = one
        #expect(object.isEqual(one) && !object.isEqual(other) && object != other)
        #expect(object.hash == one.hash && object.hash != other.hash)
        #expect(Set<NSObject>([one, other, one]).count == 2)
        #expect(object as? FrameTally === one && object.isKind(of: FrameTally.self) && object.isKind(of: NSObject.self))
        #expect(String(describing: object).contains("FrameTally"))
    }

    @Test("keeps its state apart from the object's header, on its own queue")
    func isolation() async {
        let tally = FrameTally()
        for _ in 0..<100 { tally.add(3) }
        #expect(await tally.count == 300)
    }

    @Test("ends when nobody holds it")
    func lifetime() {
        weak var gone: FrameTally?
        do {
            let tally = FrameTally()
            tally.add(1)
            gone = tally
        }
        #expect(gone == nil)
    }
}
