import CoreLocation
import CoreVideo
import Foundation
import Synchronization
import Testing
import UIKit

@Suite("UIKit's values")
@MainActor struct UIKitTests {
    @Test("the screen is that of a phone, and a layer over it keeps its shape")
    func screen() {
        UIKitConditions.$scoped.withValue(UIKitConditions()) {
            let screen = UIScreen.main
            #expect(screen.nativeBounds.width == screen.bounds.width * screen.scale)
            screen.brightness = 2
            #expect(screen.brightness == 1)
        }
        #expect(UIKitConditions.$scoped.withValue(UIKitConditions()) { UIScreen.main.brightness } == 0.5)
        let box = CAShapeLayer()
        #expect(box.path == nil && box.lineWidth == 1 && box.strokeColor == nil && box.strokeEnd == 1)
        box.path = UIBezierPath(rect: CGRect(x: 1, y: 2, width: 3, height: 4)).cgPath
        box.strokeColor = UIColor.red.cgColor
        (box.lineDashPattern, box.lineJoin) = ([4, 2], .round)
        #expect(box.path?.boundingBox == CGRect(x: 1, y: 2, width: 3, height: 4) && box.lineDashPattern == [4, 2] && box.lineJoin == .round)
    }

    @Test("an orientation is told while the app watches it")
    func orientation() async {
        let conditions = UIKitConditions()
        UIKitConditions.$scoped.withValue(conditions) {
            let heard = Mutex(0)
            let token = NotificationCenter.default.addObserver(forName: UIDevice.orientationDidChangeNotification, object: nil, queue: nil) { _ in
                heard.withLock { $0 += 1 }
            }
            #expect(UIDevice.current.orientation == .unknown)
            conditions.turn(to: .landscapeLeft)
            UIDevice.current.beginGeneratingDeviceOrientationNotifications()
            #expect(UIDevice.current.orientation == .landscapeLeft && UIDevice.current.orientation.isLandscape && heard.withLock { $0 } == 0)
            conditions.turn(to: .portrait)
            conditions.turn(to: .portrait)
            #expect(heard.withLock { $0 } == 1 && UIDevice.current.orientation.isPortrait)
            UIDevice.current.endGeneratingDeviceOrientationNotifications()
            #expect(!UIDevice.current.isGeneratingDeviceOrientationNotifications)
            NotificationCenter.default.removeObserver(token)
        }
    }

    @Test("the battery is known while it is monitored")
    func battery() {
        let conditions = UIKitConditions()
        UIKitConditions.$scoped.withValue(conditions) {
            #expect(UIDevice.current.batteryLevel == -1 && UIDevice.current.batteryState == .unknown)
            UIDevice.current.isBatteryMonitoringEnabled = true
            conditions.setBattery(level: 0.25, state: .charging)
            #expect(UIDevice.current.batteryLevel == 0.25 && UIDevice.current.batteryState == .charging)
        }
    }

    @Test("the app goes to the background and comes back with a phone's notifications")
    func application() {
        let conditions = UIKitConditions()
        UIKitConditions.$scoped.withValue(conditions) {
            let names = [
                UIApplication.willResignActiveNotification, UIApplication.didEnterBackgroundNotification,
                UIApplication.willEnterForegroundNotification, UIApplication.didBecomeActiveNotification,
            ]
            let heard = Mutex<[Notification.Name]>([])
            let tokens = names.map { name in
                NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { note in heard.withLock { $0.append(note.name) } }
            }
            conditions.enterForeground()
            conditions.enterBackground()
            #expect(UIApplication.shared.applicationState == .background)
            conditions.enterForeground()
            #expect(UIApplication.shared.applicationState == .active && heard.withLock { $0 } == names)
            tokens.forEach(NotificationCenter.default.removeObserver)
        }
    }

    @Test("the interface turns with the phone, and the scene is where the app is")
    func scenes() throws {
        let conditions = UIKitConditions()
        try UIKitConditions.$scoped.withValue(conditions) {
            let scene = try #require(UIApplication.shared.connectedScenes.first as? UIWindowScene)
            #expect(scene.interfaceOrientation == .portrait && scene.screen === UIScreen.main)
            conditions.turn(to: .landscapeLeft)
            #expect(scene.interfaceOrientation == .landscapeRight && scene.effectiveGeometry.interfaceOrientation == .landscapeRight)
            conditions.turn(to: .faceUp)
            #expect(scene.interfaceOrientation == .landscapeRight)
            let heard = Mutex<[Notification.Name]>([])
            let names = [UIScene.didEnterBackgroundNotification, UIScene.didActivateNotification]
            let tokens = names.map { name in
                NotificationCenter.default.addObserver(forName: name, object: scene, queue: nil) { note in heard.withLock { $0.append(note.name) } }
            }
            conditions.enterBackground()
            #expect(scene.activationState == .background)
            conditions.enterForeground()
            #expect(scene.activationState == .foregroundActive && heard.withLock { $0 } == names)
            tokens.forEach(NotificationCenter.default.removeObserver)
        }
    }

    @Test("haptics, background tasks and opened URLs are kept")
    func records() throws {
        let conditions = UIKitConditions()
        try UIKitConditions.$scoped.withValue(conditions) {
            UIImpactFeedbackGenerator(style: .rigid).impactOccurred(intensity: 0.5)
            UISelectionFeedbackGenerator().selectionChanged()
            UINotificationFeedbackGenerator().notificationOccurred(.error)
            #expect(conditions.haptics == [.impact(.rigid, intensity: 0.5), .selection, .notification(.error)])
            let task = UIApplication.shared.beginBackgroundTask(withName: "save")
            #expect(task != .invalid && conditions.openBackgroundTasks == 1)
            UIApplication.shared.endBackgroundTask(task)
            #expect(conditions.openBackgroundTasks == 0)
            UIApplication.shared.open(try #require(URL(string: UIApplication.openSettingsURLString)))
            #expect(conditions.openedURLs.map(\.absoluteString) == ["app-settings:"])
        }
    }

    @Test("a picture keeps its orientation in JPEG, and turns its size", arguments: [UIImage.Orientation.up, .right, .left, .downMirrored])
    func pictures(orientation: UIImage.Orientation) throws {
        let provider = try #require(CGDataProvider(data: Data(repeating: 90, count: 4 * 8 * 4) as CFData))
        let bitmap = try #require(
            CGImage(
                width: 8, height: 4, bitsPerComponent: 8, bitsPerPixel: 32, bytesPerRow: 32, space: CGColorSpaceCreateDeviceRGB(),
                bitmapInfo: CGBitmapInfo(rawValue: CGImageAlphaInfo.noneSkipLast.rawValue), provider: provider, decode: nil, shouldInterpolate: false,
                intent: .defaultIntent))
        let picture = UIImage(cgImage: bitmap, scale: 2, orientation: orientation)
        let isSideways = orientation == .right || orientation == .left
        #expect(picture.size == (isSideways ? CGSize(width: 2, height: 4) : CGSize(width: 4, height: 2)))
        let read = try #require(picture.jpegData(compressionQuality: 0.9).flatMap { UIImage(data: $0) })
        #expect(read.imageOrientation == orientation && read.cgImage?.width == 8)
        #expect(picture.pngData().flatMap { UIImage(data: $0) }?.imageOrientation == .up && UIImage(data: Data([1, 2, 3])) == nil)
    }
}

@Suite("Core Location's values")
struct LocationTests {
    @Test("places are metres apart on the globe")
    func distances() {
        let (paris, london) = (CLLocation(latitude: 48.8566, longitude: 2.3522), CLLocation(latitude: 51.5074, longitude: -0.1278))
        #expect(abs(paris.distance(from: london) - 343_560) < 1000 && paris.distance(from: paris) == 0)
        #expect(CLLocationCoordinate2DIsValid(paris.coordinate) && !CLLocationCoordinate2DIsValid(kCLLocationCoordinate2DInvalid))
        #expect(paris.course == -1 && paris.verticalAccuracy == -1)
    }

    /// Red values of the pixels of a picture, row by row from the top.
    private func reds(_ image: UIImage) throws -> [UInt8] {
        let bitmap = try #require(image.cgImage)
        let bytes = try #require(bitmap.dataProvider?.data) as Data
        return (0..<bitmap.height).flatMap { y in (0..<bitmap.width).map { x in bytes[y * bitmap.bytesPerRow + x * bitmap.bitsPerPixel / 8] } }
    }

    @Test("a renderer draws from the upper left corner, and turns a picture upright")
    func renderer() throws {
        let corner = UIGraphicsImageRenderer(size: CGSize(width: 2, height: 2)).image { context in
            UIColor.black.setFill()
            context.fill(CGRect(x: 0, y: 0, width: 2, height: 2))
            UIColor.red.setFill()
            context.fill(CGRect(x: 0, y: 0, width: 1, height: 1))
        }
        #expect(try reds(corner) == [255, 0, 0, 0] && corner.size == CGSize(width: 2, height: 2))
        let stored = try #require(corner.cgImage)
        let turned: [(UIImage.Orientation, [UInt8])] = [
            (.up, [255, 0, 0, 0]), (.right, [0, 255, 0, 0]), (.down, [0, 0, 0, 255]), (.left, [0, 0, 255, 0]), (.upMirrored, [0, 255, 0, 0]),
            (.downMirrored, [0, 0, 255, 0]), (.leftMirrored, [255, 0, 0, 0]), (.rightMirrored, [0, 0, 0, 255]),
        ]
        for (orientation, expected) in turned {
            let image = UIImage(cgImage: stored, scale: 1, orientation: orientation)
            let upright = UIGraphicsImageRenderer(size: image.size).image { _ in image.draw(in: CGRect(origin: .zero, size: image.size)) }
            #expect(try reds(upright) == expected, "\(orientation)")
        }
        UIGraphicsBeginImageContextWithOptions(CGSize(width: 4, height: 4), false, 0)
        corner.draw(in: CGRect(x: 2, y: 0, width: 2, height: 2))
        let wide = try #require(UIGraphicsGetImageFromCurrentImageContext())
        UIGraphicsEndImageContext()
        #expect(try reds(wide)[2] == 255 && UIGraphicsGetCurrentContext() == nil)
    }
}
