import AVFoundation
import CaptureTesting
import Foundation
import Testing
import UIKit

@Suite("A scanner of tickets as a stranger writes it")
@MainActor
struct TicketTests {
    @Test("reads what is held into its window, each ticket once, and photographs the sheet flat")
    func tickets() async throws {
        var stage = TestStage.mayaWithTone
        stage.paintsPictures = true
        try await withTestPhone(showing: stage) { phone in
            let scanner = TicketScanner()
            scanner.preview.frame = CGRect(x: 0, y: 0, width: 390, height: 844)
            scanner.window = CGRect(x: 45, y: 272, width: 300, height: 300)
            await scanner.start()
            #expect(scanner.phase == .scanning)
            // Beside the window.
            phone.conditions.showCodes([.init(.qr, "outside", bounds: CGRect(x: 0.02, y: 0.4, width: 0.1, height: 0.2))])
            await phone.step(frames: 3)
            #expect(scanner.phase == .scanning)
            let others: [CaptureConditions.Code] = [.init(.code128, "no ticket")]
            phone.conditions.showCodes([.init(.qr, "ticket 1")] + others)
            try await phone.until(within: .seconds(1)) { scanner.phase != .scanning }
            guard case .found(let ticket) = scanner.phase else { return #expect(Bool(false), "no ticket") }
            #expect(ticket.text == "ticket 1" && ticket.type == .qr && ticket.corners.count == 4)
            // The code stands upright before a phone that does: its own upper left first, and counter-clockwise.
            let box = ticket.box
            #expect(abs(box.midX - 195) < 1 && abs(box.midY - 422) < 1)
            let expected = [(box.minX, box.minY), (box.minX, box.maxY), (box.maxX, box.maxY), (box.maxX, box.minY)].map { CGPoint(x: $0, y: $1) }
            #expect(zip(ticket.corners, expected).allSatisfy { hypot($0.x - $1.x, $0.y - $1.y) < 1 }, "\(ticket.corners), \(box)")
            let photo = Task { try await scanner.photograph() }
            try await phone.until(within: .seconds(2)) { scanner.sheet != nil }
            let sheet = try #require(try await photo.value)
            // A fifth of 1080 by a fifth of 1920, as the code itself stands.
            #expect(abs(sheet.size.width - 216) < 4 && abs(sheet.size.height - 384) < 4)
            scanner.next()
            await phone.step(frames: 3)
            #expect(scanner.phase == .scanning, "the same ticket counts once")
            phone.conditions.showCodes([.init(.aztec, "ticket 2")])
            try await phone.until(within: .seconds(1)) { scanner.phase != .scanning }
            scanner.stop()
            #expect(phone.violations.isEmpty && phone.diagnostics.isEmpty)
        }
    }

    @Test("lights the tickets by itself where it is dark, and the room gets brighter by it")
    func torch() async throws {
        try await withTestPhone(showing: .mayaWithTone) { phone in
            phone.setLight(2)
            let scanner = TicketScanner()
            await scanner.start()
            let camera = try #require(AVCaptureDevice.default(for: .video))
            try await phone.until(within: .seconds(2)) { scanner.isTorchLit }
            #expect(camera.torchMode == .on && abs(camera.torchLevel - 0.6) < 1e-6)
            // Hot, a phone puts its torch out.
            phone.conditions.setPressure(.critical, of: camera.uniqueID)
            #expect(!camera.isTorchAvailable)
            scanner.setTorch(0)
            phone.conditions.setPressure(.nominal, of: camera.uniqueID)
            scanner.setTorch(0)
            try await phone.until(within: .seconds(1)) { !scanner.isTorchLit }
            scanner.stop()
            #expect(phone.violations.isEmpty && phone.diagnostics.isEmpty)
        }
    }

    @Test("a user's no is told, and nothing runs")
    func denied() async throws {
        try await withTestPhone(showing: .mayaWithTone) { phone in
            phone.conditions.setAuthorization(.notDetermined, for: .video)
            phone.conditions.setAnswer(false, for: .video)
            let scanner = TicketScanner()
            await scanner.start()
            #expect(scanner.phase == .denied)
            #expect(phone.violations.isEmpty && phone.diagnostics.isEmpty)
        }
    }
}
