import AVFoundation
import ClientUnits5
import Testing

@Suite("A unit shaped like a public client's, in Swift 5")
struct ClientUnitFiveTests {
    @Test("compiles without a warning, links and runs")
    func runs() async {
        let counter = DropCounter()
        await counter.count()
        #expect(await counter.drops == 1)
        #expect(Pictures.grey([1, 2], width: 2, height: 1)?.width == 2 && MetalViewfinder() != nil)
    }
}
