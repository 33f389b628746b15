// SPDX-License-Identifier: Apache-2.0

@main
struct Empty {
    static func main() {}
}
