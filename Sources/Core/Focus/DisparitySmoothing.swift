/// Smoothing of a track's measured disparities by the filter that runs while recording.
package enum DisparitySmoothing {
    /// Filtered disparities of measurements, each so many seconds after the one before; nil and NaN count as not measured.
    package static func smoothed(_ measurements: [(elapsed: Double, disparity: Double?)], _ tuning: FocusTuning = FocusTuning()) -> [Double] {
        var tracker = DisparityTracker()
        return measurements.map { measurement in
            tracker.step(measurement.disparity, elapsed: measurement.elapsed, tuning)
            return tracker.position
        }
    }
}
