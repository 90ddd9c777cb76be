import AVFoundation
import CaptureTesting
import Combine
import Foundation
import Synchronization
import Testing

@Suite("Cameras made of publishers")
struct PublisherTests {
    private let stage = TestStage(.face("maya", box: CGRect(x: 0.4, y: 0.3, width: 0.2, height: 0.4), depth: 2))

    @Test("what publishers schedule on queues finds the test's phone", arguments: [0, 1, 2])
    func schedulers(index: Int) async throws {
        try await withTestPhone(showing: stage) { _ in
            let queue = DispatchQueue(label: "camera")
            let found =
                switch index {
                case 0: Just(()).receive(on: queue).map(Self.hasCamera).eraseToAnyPublisher()
                case 1: Just(()).delay(for: .milliseconds(1), scheduler: queue).map(Self.hasCamera).eraseToAnyPublisher()
                default: Just(()).receive(on: OperationQueue()).map(Self.hasCamera).eraseToAnyPublisher()
                }
            for await isFound in found.values { #expect(isFound) }
        }
    }

    private static func hasCamera() -> Bool { AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .back) != nil }

    @Test("a view model of publishers follows the session, the zoom and the faces, and takes photos")
    func publishers() async throws {
        try await withTestPhone(showing: stage) { phone in
            let camera = PublishedCamera()
            var bag = Set<AnyCancellable>()
            let statuses = Mutex<[PublishedCamera.Status]>([])
            let devices = Mutex<[String]>([])
            let photos = Mutex<[Data]>([])
            camera.statusChanges.sink { status in statuses.withLock { $0.append(status) } }.store(in: &bag)
            camera.start().sink(
                receiveCompletion: { end in if case .failure(let error) = end { Issue.record(error) } },
                receiveValue: { device in devices.withLock { $0.append(device.localizedName) } }
            ).store(in: &bag)
            try await phone.until(within: .seconds(1)) { camera.canShoot }
            #expect(devices.withLock { $0.count } == 1 && camera.faces == 1)
            camera.wantedZoom = 2
            try await phone.until(within: .seconds(1)) { camera.zoom == 2 }
            camera.photo().replaceError(with: Data()).sink { data in photos.withLock { $0.append(data) } }.store(in: &bag)
            try await phone.until(within: .seconds(1)) { !photos.withLock { $0.isEmpty } }
            #expect(photos.withLock { $0.map(\.count) }[0] > 1000)
            try await phone.until(within: .seconds(1)) { camera.canShoot }
            phone.conditions.interrupt(.videoDeviceInUseByAnotherClient)
            try await phone.until(within: .zero) { camera.status == .interrupted(3) && !camera.canShoot }
            phone.conditions.endInterruption()
            try await phone.until(within: .zero) { camera.status == .running }
            phone.conditions.fail(.mediaServicesWereReset)
            try await phone.until(within: .zero) { if case .failed = statuses.withLock({ $0.last }) { true } else { false } }
            let told = statuses.withLock { $0 }
            #expect(told.prefix(3) == [.running, .interrupted(3), .running] && phone.violations.isEmpty && phone.diagnostics.isEmpty)
        }
    }
}
