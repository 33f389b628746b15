// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A lossless HEIC of 160 x 16 pixels with 10 bits, declared as PQ with the primaries of BT.2020. It has
/// ten squares of 16 pixels. In the upper half, red, green and blue are ``numbers``. In the lower half,
/// green and blue are three quarters of that, rounded down. Written with libheif 1.23 and x265.
enum HighDynamicRangePicture {
    /// The red of each square, from 0 to 1023.
    static let numbers = [0, 102, 256, 410, 512, 594, 665, 716, 768, 940]

    static func bytes() throws -> [UInt8] {
        guard let data = Data(base64Encoded: text) else { throw CocoaError(.coderInvalidValue) }
        return Array(data)
    }

    private static let text = """
        AAAAHGZ0eXBoZWl4AAAAAG1pZjFoZWl4bWlhZgAAAX1tZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAA\
        AAAAAAAAACJpbG9jAAAAAERAAAEAAQAAAAABoQABAAAAAAAABbkAAAAjaWluZgAAAAAAAQAAABVpbmZlAgAAAAABAABo\
        dmMxAAAAAA5waXRtAAAAAAABAAAA/WlwcnAAAADdaXBjbwAAAHZodmNDAQQIAAAAnDgAAAAA//AA/P/6+gAADwNgAAEA\
        F0ABDAH//wQIAAADAJw4AAADAAD/ugJAYQABAClCAQEECAAAAwCcOAAAAwAA/5AChAgmy3VXTXNwkQAAQAAABkAAAAMA\
        QmIAAQAIRAHBcDBgsSAAAAATY29scm5jbHgACQAQAACAAAAAFGlzcGUAAAAAAAAAoAAAAEAAAAAoY2xhcAAAAKAAAAAB\
        AAAAEAAAAAEAAAAAAAAAAv///9AAAAACAAAAEHBpeGkAAAAAAwoKCgAAABhpcG1hAAAAAAAAAAEAAQWBAgMFhAAABcFt\
        ZGF0AAAFtSgBrwWyC6hBLAbALwXEs///33/76/72/3d/b39vf29/b39v/2//b/9v/2//b/9v/2+VD//5E7X///n4Pz5J\
        ztRmrCUwJTAlMCUwJUflR+VH5UflR+VH5UflNOf/sg5///33/76/72/3d/b39vf29/b39v/2//b/9v/2//b/9v/2/eBM\
        xWxLELJJtAbjEKAO+n303dGWbqMqMqMqMqNmNmNmNmNmNmNmMuo/tTEAWd7zvTLphpfS/S/S/S/UZUZUZUZUZUZUZTHv\
        80FAHnTM6VyhoM/lXlXlXlXl2F2F2F2F2F2F2FggQw+7Sbglyf/9F19IKYLLLLoQQQQQQADC8P//5JBvuWy22237bbbb\
        bbS4kMMwwAAdmTrsmcCK7NqHIHIHIHIHlvlvlvlvlvlvlvIpOHoA58r75WDk7MgI/o/o/o/pAjAjAjAjAjAjAi/qFvhA\
        J3b5O3erY+Z4tCtCtCtCtMlMlMlMlMlMlMlFwWl7GWFMmgAB/L+T4OFFAaKd4qd4t9IDsF///b/tfrfO7u7u7u/v7+/v\
        7+/vg8UuEoAAJvcWe4ZbctaXlLlLlLlLlVVVVVVVVVVVVVVLzs7AM/Qd+gh57nN0xkxkxkxkxxxxxxxxxxxxxxxlKVgA\
        48vl5dZlZEkAAwAwAwAwBpBpBpBpBpBpBpA8tNvRlhbdKJAzNMzZI399IPr6eFHgN//9A6H2xtOmJFRFRFRFRHUnUnUn\
        UnUnUnUlYjs93IAB2VHyoC5FXnTwzwzwzwz4N4N4N4N4N4N4NxPfwBTYVbCBf2jRb97979798DKDKDKDKDKDKDJ+HEgC\
        FzsucimFh/n5n5n5n5oCACACACACACAB/54EclROAQ3aCf/j2lgSnf49OfU1RNQfMP//zcuaHFDJC6F6F6F6F6RuRuRu\
        RuRuRuRuGQyJ/DAAO6VkSlChxpZAUBQFAUQNA0DQNA0DQMHwAA6ZfLLcCZsvfP8/z/P96Xpel6Xpel6UKAAGZSWqPngs\
        dIcpynKcp5BkGQZBkGQZBLoE4jtWGAATVDEfGVYDvr6+vsObm5ubm5uXLM///QJyf555NNjAyAyAyAyA+0+0+0+0+0+0\
        +0yX0MdMABCH6Z+x+ZEdvm+b5vnPA8DwPA8DwO/9gADWlwQsWG2ytz3Pc9z4FQVBUFQVBUFNKAAQt9IvgrjE/jOM4zjO\
        RFEURRFEURRE0gHlmcBoAAs3vLx7bVbw8PDw88PDw8PDw8FQr//8ZgIw6iiQL7ez3s97Pez3xI8SPEjxI8SPEjxI7RVI\
        hrwAKSBp/h6Wf2lpaWlzw8PDw8PDuqAAUkDT/D0s/tLS0tLnh4eHh4eHdUAAxGknMGzYDLS0tLTmJiYmJiYl+oI21LWT\
        AAr9fAp7xvu3bt3BBgwYMGC/bb//+RyMigx5KK7AnwJ8CfAnwMDDAwwMMDDAwwMMDCf7Wz0QAHui/QhMoJl5eXl5mJiY\
        mJiYmH0AAba19XhJtb19fX196+vr6+vr64oAB+IRz4+5dzR0dHR2cHBwcHBwbq4kzRUxiACh5RkURFV27du3wMGDBgwY\
        Ewf//183rzKtjlSLHax2sdrHayD0g9IPSD0g9IPSD0dxle+RABarNt2Yl4087Q5JOSTkk5JOX+l/pf6X+l/pf6X+kmQA\
        lmBA8A2fwk5XT/U/1P9T/VCLwi8IvCLwi8IvCLv94AQzHQeN/Qvij1r6K+ivor6K/l/5f+X/l/5f+X/l/o8UbNeLeYOn\
        //gsYAurH90dUwCR4R2VoI7D8LfP//5iay/bKnI/QFABQAUAFABa0WtFrRa0WtFrRa0UEvaAKEkGp5f/+KSELFfCKKRF\
        M+gxzTLBIv3dMAAIV+KXQMNJ0QoeBHTtq+Xr+SAABzj5pVLPQ7jHzZE7MRa3wNBKJHggnKtXyk2eRZiLggAqfAQQ6pgx\
        kVJRQNvyAI1IRNn0qp5b30qOQA==
        """
}
