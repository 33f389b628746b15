// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc

extension Date {
    /// The offset of this computer's local time from UTC in seconds, positive to the east.
    ///
    /// This is that of the C library, because Foundation ignores a TZ that is not the name of a zone.
    public var localOffset: Int {
        guard var time = time_t(exactly: timeIntervalSince1970.rounded(.down)) else { return 0 }
        tzset()
        var parts = tm()
        return localtime_r(&time, &parts) == nil ? 0 : parts.tm_gmtoff
    }
}

extension CaptureDate {
    /// The point in time. Without ``offset``, the time of the camera is taken as this computer's local time.
    public var localDate: Date {
        let seconds = date.timeIntervalSince1970
        guard offset == nil, var time = time_t(exactly: seconds.rounded(.down))
        else { return date }
        var parts = tm()
        guard gmtime_r(&time, &parts) != nil else { return date }
        parts.tm_isdst = -1
        let local = mktime(&parts)
        // -1 is also the last second of 1969, which no photo needs exactly.
        if local == -1 { return date }
        return Date(timeIntervalSince1970: Double(local) + seconds - seconds.rounded(.down))
    }
}
