import Optics
import Testing

@Suite("Circle of confusion")
struct CircleOfConfusionTests {
    /// Object distance in metres, expected absolute diameter in pixels: 50 mm f/1.8 at 2 m, 1920 pixels wide (reference/bokeh.md 4.1).
    @Test("has the published diameters", arguments: [(0.5, 114.0), (1.0, 38.0), (2.0, 0.0), (4.0, 19.0), (10.0, 30.4), (.infinity, 38.0)])
    func published(_ distance: Double, _ diameter: Double) {
        let circle = Lens(focalLength: 50, fNumber: 1.8).circleOfConfusion(focusDisparity: 0.5, pictureWidth: 1920)
        #expect(abs(abs(circle.diameter(at: 1 / distance)) - diameter) < 0.05)
    }

    @Test("is positive behind the focus and negative in front of it")
    func sign() {
        let circle = Lens(focalLength: 26, fNumber: 2.8).circleOfConfusion(focusDisparity: 0.5, pictureWidth: 1920)
        #expect(circle.diameter(at: 0.1) > 0)
        #expect(circle.diameter(at: 0.5) == 0)
        #expect(circle.diameter(at: 0.9) < 0)
    }

    @Test("agrees with the thin lens: A · v · |1/S - 1/D|", arguments: [24.0, 26, 50, 77], [0.1, 0.7, 2.0, 5.0])
    func thinLens(_ focalLength: Double, _ focusDisparity: Double) {
        let circle = Lens(focalLength: focalLength, fNumber: 2).circleOfConfusion(focusDisparity: focusDisparity, pictureWidth: 3840)
        let (f, s) = (focalLength / 1000, 1 / focusDisparity)
        for disparity in [0.0, 0.3, 1.5, 6.0] {
            let onSensor = f / 2 * (f * s / (s - f)) * abs(focusDisparity - disparity)
            #expect(abs(abs(circle.diameter(at: disparity)) - onSensor * 3840 / 0.036) < 1e-9)
        }
    }

    @Test("halves with twice the f-number, doubles with twice the picture")
    func scale() {
        func diameter(_ fNumber: Double, _ width: Int) -> Double {
            Lens(focalLength: 26, fNumber: fNumber).circleOfConfusion(focusDisparity: 0.8, pictureWidth: width).diameter(at: 0)
        }
        #expect(diameter(4, 1920) == diameter(2, 1920) / 2)
        #expect(diameter(2, 3840) == diameter(2, 1920) * 2)
    }

    @Test("stays finite and positive however near focus is asked", arguments: [10.0, 38.4, 38.5, 1000])
    func macro(_ focusDisparity: Double) {
        let circle = Lens(focalLength: 26, fNumber: 2).circleOfConfusion(focusDisparity: focusDisparity, pictureWidth: 1920)
        #expect(circle.diameterPerDisparity > 0)
        let atLifeSize: Double = 26 * 26 / 2 / 500 * 1920 / 36
        #expect(circle.diameterPerDisparity <= atLifeSize + 1e-9)
    }
}
