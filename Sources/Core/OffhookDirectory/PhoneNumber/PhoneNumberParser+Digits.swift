// SPDX-License-Identifier: MIT

extension PhoneNumberParser {
    /// What the beginning of the digits tells about the country.
    private enum Beginning {
        case country(Int, Digits)
        case noCountry
        case refused(PhoneNumberError)
    }

    private static let shortestNational = 2
    private static let longestNational = 17

    /// Finds country and national number in the digits of a text.
    ///
    /// - Parameters:
    ///   - digits: All digits of the text.
    ///   - hasPlus: Whether a "+" came before them.
    ///   - room: Memory for two more numbers.
    /// - Returns: The number, or why there is none.
    func interpret(
        _ digits: Digits, hasPlus: Bool, room: UnsafeMutablePointer<UInt8>
    ) -> Result<PhoneNumber, PhoneNumberError> {
        let region = options.defaultRegion.map { plans.regions[$0.index] }
        if !hasPlus && region == nil && options.internationalPrefix != .ofRegionOrDoubleZero {
            return .failure(.noCountry)
        }
        var beginning = Beginning.noCountry
        if hasPlus {
            beginning = afterPrefix(digits)
            if case .refused(.noCountry) = beginning {
                // A "+" too many: what follows may have an international prefix of its own.
                beginning = withoutPlus(digits, region, room)
                if case .noCountry = beginning { return .failure(.noCountry) }
            }
        } else {
            beginning = withoutPlus(digits, region, room)
        }

        let code: Int
        var national: Digits
        let plan: NumberingPlans.Region
        switch beginning {
        case .refused(let error): return .failure(error)
        case .country(let found, let rest):
            guard let country = plans.country(found) else { return .failure(.noCountry) }
            (code, national, plan) = (found, rest, plans.regions[country.main])
        case .noCountry:
            guard let region else { return .failure(.noCountry) }
            (code, national, plan) = (region.countryCode, digits, region)
        }
        if national.count < Self.shortestNational { return .failure(.tooShort) }
        if plan.national != 0 {
            let stripped = withoutNationalPrefix(national, plan, room + Digits.capacity)
            if plan.possibleOrTooLong & lengthBit(stripped) != 0 { national = stripped }
        }
        if national.count < Self.shortestNational { return .failure(.tooShort) }
        if national.count > Self.longestNational { return .failure(.tooLong) }
        return number(code, national)
    }

    private func number(_ code: Int, _ national: Digits) -> Result<PhoneNumber, PhoneNumberError> {
        var value = Int64(code)
        for index in 0..<national.count {
            let (product, isTooLarge) = value.multipliedReportingOverflow(by: 10)
            let (sum, isTooLong) = product.addingReportingOverflow(Int64(national[index]))
            if isTooLarge || isTooLong { return .failure(.tooLong) }
            value = sum
        }
        if options.requiresValid {
            guard let country = plans.country(code), plans.accepts(country.valid, national) else {
                return .failure(.notValid)
            }
        }
        return .success(PhoneNumber(parsed: value))
    }

    /// The country code that follows "+" or an international prefix.
    private func afterPrefix(_ digits: Digits) -> Beginning {
        if digits.count <= Self.shortestNational { return .refused(.tooShort) }
        guard let (code, length) = plans.countryCode(of: digits) else { return .refused(.noCountry) }
        return .country(code, digits.dropFirst(length))
    }

    private func withoutPlus(
        _ digits: Digits, _ region: NumberingPlans.Region?, _ room: UnsafeMutablePointer<UInt8>
    ) -> Beginning {
        if let length = internationalPrefix(of: digits, region) { return afterPrefix(digits.dropFirst(length)) }
        guard let region, let length = digits.starts(with: region.countryCode) else { return .noCountry }
        // The country code may be there without a "+": so if the number makes no sense with it and does without.
        let rest = withoutNationalPrefix(digits.dropFirst(length), region, room)
        let isBetter = !plans.accepts(region.plan, digits) && plans.accepts(region.plan, rest)
        return isBetter || region.tooLong & lengthBit(digits) != 0 ? .country(region.countryCode, rest) : .noCountry
    }

    private func internationalPrefix(of digits: Digits, _ region: NumberingPlans.Region?) -> Int? {
        if options.internationalPrefix == .none { return nil }
        // No country code begins with 0, so a prefix that a 0 follows is none.
        if let region, let length = plans.longestMatch(region.international, digits),
            length == digits.count || digits[length] != 0
        {
            return length
        }
        if options.internationalPrefix == .ofRegionOrDoubleZero, digits.count > 2,
            digits[0] == 0, digits[1] == 0, digits[2] != 0
        {
            return 2
        }
        return nil
    }

    /// Strips the national prefix and a carrier code, or exchanges digits, as the plan says.
    private func withoutNationalPrefix(
        _ digits: Digits, _ region: NumberingPlans.Region, _ room: UnsafeMutablePointer<UInt8>
    ) -> Digits {
        guard region.national != 0, digits.count > 0 else { return digits }
        var state = Int(region.national)
        var action = Int(plans.labels[2 * Int(plans.states[state << 4 + 10])])
        var end = 0
        for index in 0..<digits.count where state != 0 {
            state = Int(plans.states[state << 4 + Int(digits[index])])
            let found = Int(plans.labels[2 * Int(plans.states[state << 4 + 10])])
            if found != 0 { (action, end) = (found, index + 1) }
        }
        let last = Int(plans.labels[2 * Int(plans.states[state << 4 + 10]) + 1])
        if last != 0 { (action, end) = (last, digits.count) }
        if action == 0 { return digits }

        var result: Digits
        if action == 1 {
            result = digits.dropFirst(end)
        } else {
            let change = plans.actions[action]
            result = Digits(base: room)
            for digit in change.put { result.append(digit) }
            result.append(digits.prefix(end - change.back).dropFirst(change.front))
            result.append(digits.dropFirst(end))
        }
        // A prefix that turns a number of the plan into none was not a prefix.
        if plans.accepts(region.plan, digits) && !plans.accepts(region.plan, result) { return digits }
        return result
    }

    private func lengthBit(_ digits: Digits) -> UInt32 { 1 << UInt32(min(digits.count, 31)) }
}
