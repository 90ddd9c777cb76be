import AVFoundation
import Combine
import Testing

@Suite("A publisher of an observable property")
struct PropertyPublisherTests {
    @Test("sends the value, and each new one until it is cancelled")
    func zoom() throws {
        try inEnvironment(phoneEnvironment()) {
            let device = try #require(AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .back))
            var (all, news): ([CGFloat], [CGFloat]) = ([], [])
            let tokens = [
                device.publisher(for: \.videoZoomFactor).sink { all.append($0) },
                device.publisher(for: \.videoZoomFactor, options: .new).sink { news.append($0) },
            ]
            try device.lockForConfiguration()
            device.videoZoomFactor = 2
            for token in tokens { token.cancel() }
            device.videoZoomFactor = 3
            device.unlockForConfiguration()
            #expect(all == [1, 2] && news == [2])
        }
    }
}
