import CoreMedia
import Foundation
import Synchronization

extension AVCaptureDevice {
    /// Least side of a rectangle of interest, in 0…1 of the picture.
    private static let smallest = 0.1
    /// Side of the default rectangle around a point, in 0…1 of the picture.
    private static let usual = 0.25

    private static func rect(around point: CGPoint) -> CGRect {
        let half = usual / 2
        return CGRect(
            x: min(max(point.x, half), 1 - half) - half, y: min(max(point.y, half), 1 - half) - half, width: usual, height: usual)
    }

    /// Keeps a rectangle of interest, and its middle as the point.
    private func setRect(
        _ rect: CGRect, _ selector: String, _ kept: any WritableKeyPath<Controls, CGRect?> & Sendable,
        _ point: any WritableKeyPath<Controls, CGPoint> & Sendable
    ) {
        let picture = CGRect(x: 0, y: 0, width: 1, height: 1)
        guard picture.contains(rect), rect.width >= Self.smallest, rect.height >= Self.smallest else {
            return environment.raise(
                .invalidArgument, "-[AVCaptureDevice \(selector)]", "\(rect) is beyond 0…1 or smaller than \(Self.smallest) x \(Self.smallest)")
        }
        change {
            $0.controls[keyPath: kept] = rect
            $0.controls[keyPath: point] = CGPoint(x: rect.midX, y: rect.midY)
        }
    }

    // MARK: focus

    /// Whether focus can prefer a rectangle; false for a camera of fixed focus.
    public var isFocusRectOfInterestSupported: Bool { isFocusPointOfInterestSupported }
    /// Least size of a focus rectangle, in 0…1 of the picture; zero without support.
    public var minFocusRectOfInterestSize: CGSize {
        isFocusRectOfInterestSupported ? CGSize(width: Self.smallest, height: Self.smallest) : .zero
    }

    /// Returns the rectangle around a point that focus uses without one of its own: a quarter of each side, within 0…1; null without support.
    public func defaultRectForFocusPoint(ofInterest pointOfInterest: CGPoint) -> CGRect {
        isFocusRectOfInterestSupported ? Self.rect(around: pointOfInterest) : .null
    }

    /// Rectangle to focus on (0…1, origin top left, unrotated picture), from the next set of `focusMode` on. Observable.
    /// Moves the point of interest to its middle; a set point or format brings back the default. Raises without the lock, outside of 0…1,
    /// and below the least size.
    public var focusRectOfInterest: CGRect {
        get { state.withLock { $0.controls.focusRect ?? defaultRectForFocusPoint(ofInterest: $0.controls.focusPoint) } }
        set {
            let selector = "setFocusRectOfInterest:"
            guard requiresLock(selector), requires(isFocusRectOfInterestSupported, selector, "isFocusRectOfInterestSupported") else { return }
            setRect(newValue, selector, \.focusRect, \.focusPoint)
        }
    }

    // MARK: exposure

    /// Whether exposure can prefer a rectangle; true for every camera.
    public var isExposureRectOfInterestSupported: Bool { isExposurePointOfInterestSupported }
    /// Least size of an exposure rectangle, in 0…1 of the picture; zero without support.
    public var minExposureRectOfInterestSize: CGSize {
        isExposureRectOfInterestSupported ? CGSize(width: Self.smallest, height: Self.smallest) : .zero
    }

    /// Returns the rectangle around a point that is metered without one set: a quarter of each side, within 0…1; null without support.
    public func defaultRectForExposurePoint(ofInterest pointOfInterest: CGPoint) -> CGRect {
        isExposureRectOfInterestSupported ? Self.rect(around: pointOfInterest) : .null
    }

    /// Rectangle to meter (0…1), as `focusRectOfInterest`, from the next set of `exposureMode` on. Observable.
    public var exposureRectOfInterest: CGRect {
        get { state.withLock { $0.controls.exposureRect ?? defaultRectForExposurePoint(ofInterest: $0.controls.exposurePoint) } }
        set {
            let selector = "setExposureRectOfInterest:"
            guard requiresLock(selector), requires(isExposureRectOfInterestSupported, selector, "isExposureRectOfInterestSupported") else { return }
            setRect(newValue, selector, \.exposureRect, \.exposurePoint)
        }
    }

    // MARK: faces

    /// Whether the preference of focus for faces is adjusted automatically; default true. Raises without the lock.
    public var automaticallyAdjustsFaceDrivenAutoFocusEnabled: Bool {
        get { state.withLock { $0.controls.faceFocus.isAutomatic } }
        set { setAutomatic(newValue, "setAutomaticallyAdjustsFaceDrivenAutoFocusEnabled:", \.faceFocus) }
    }

    /// Whether automatic focus prefers faces; raises while that is adjusted automatically, and without the lock.
    public var isFaceDrivenAutoFocusEnabled: Bool {
        get { state.withLock { $0.controls.faceFocus.isOn } }
        set { setFaces(newValue, "setFaceDrivenAutoFocusEnabled:", \.faceFocus) }
    }

    /// Whether the preference of exposure for faces is adjusted automatically; default true. Raises without the lock.
    public var automaticallyAdjustsFaceDrivenAutoExposureEnabled: Bool {
        get { state.withLock { $0.controls.faceExposure.isAutomatic } }
        set { setAutomatic(newValue, "setAutomaticallyAdjustsFaceDrivenAutoExposureEnabled:", \.faceExposure) }
    }

    /// Whether automatic exposure prefers faces; raises while that is adjusted automatically, and without the lock.
    public var isFaceDrivenAutoExposureEnabled: Bool {
        get { state.withLock { $0.controls.faceExposure.isOn } }
        set { setFaces(newValue, "setFaceDrivenAutoExposureEnabled:", \.faceExposure) }
    }

    private func setAutomatic(_ isAutomatic: Bool, _ selector: String, _ part: any WritableKeyPath<Controls, FaceDriven> & Sendable) {
        guard requiresLock(selector) else { return }
        change { $0.controls[keyPath: part] = FaceDriven(isAutomatic: isAutomatic, isOn: isAutomatic || $0.controls[keyPath: part].isOn) }
    }

    private func setFaces(_ isOn: Bool, _ selector: String, _ part: any WritableKeyPath<Controls, FaceDriven> & Sendable) {
        guard requiresLock(selector) else { return }
        guard !state.withLock({ $0.controls[keyPath: part].isAutomatic }) else {
            return environment.raise(.invalidArgument, "-[AVCaptureDevice \(selector)]", "May not be called while it is adjusted automatically")
        }
        change { $0.controls[keyPath: part].isOn = isOn }
    }

    struct FaceDriven: Sendable, Equatable {
        var isAutomatic = true
        var isOn = true
    }
}
