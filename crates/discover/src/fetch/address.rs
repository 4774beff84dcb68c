//! Which addresses belong to the public internet.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Networks of IPv4 that are not public: first address, length of the prefix.
const PRIVATE_V4: [(Ipv4Addr, u32); 16] = [
    (Ipv4Addr::new(0, 0, 0, 0), 8),
    (Ipv4Addr::new(10, 0, 0, 0), 8),
    // Shared by the customers of a provider.
    (Ipv4Addr::new(100, 64, 0, 0), 10),
    (Ipv4Addr::new(127, 0, 0, 0), 8),
    // Link-local, and where clouds tell machines their secrets.
    (Ipv4Addr::new(169, 254, 0, 0), 16),
    (Ipv4Addr::new(172, 16, 0, 0), 12),
    (Ipv4Addr::new(192, 0, 0, 0), 24),
    // Documentation, three of them.
    (Ipv4Addr::new(192, 0, 2, 0), 24),
    (Ipv4Addr::new(198, 51, 100, 0), 24),
    (Ipv4Addr::new(203, 0, 113, 0), 24),
    // The relays of 6to4.
    (Ipv4Addr::new(192, 88, 99, 0), 24),
    (Ipv4Addr::new(192, 168, 0, 0), 16),
    // Benchmarks.
    (Ipv4Addr::new(198, 18, 0, 0), 15),
    // Multicast, reserved, broadcast.
    (Ipv4Addr::new(224, 0, 0, 0), 4),
    (Ipv4Addr::new(240, 0, 0, 0), 4),
    (Ipv4Addr::new(255, 255, 255, 255), 32),
];

/// Networks inside `2000::/3` that are not public; everything outside it is not public either.
const PRIVATE_V6: [(Ipv6Addr, u32); 4] = [
    // Protocol assignments: tunnels, benchmarks, identifiers.
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23),
    // Documentation, two of them.
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32),
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20),
    // 6to4, which wraps any IPv4 address.
    (Ipv6Addr::new(0x2002, 0, 0, 0, 0, 0, 0, 0), 16),
];

/// Whether an address can be reached by everyone, and so may be read without asking.
///
/// IPv6 addresses that wrap an IPv4 address (mapped, NAT64, 6to4) are not public: they are ways around a check.
pub(super) fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => !PRIVATE_V4.iter().any(|&(network, prefix)| {
            (u32::from(address) ^ u32::from(network)).leading_zeros() >= prefix
        }),
        IpAddr::V6(address) => {
            address.segments()[0] >> 13 == 1
                && !PRIVATE_V6.iter().any(|&(network, prefix)| {
                    (u128::from(address) ^ u128::from(network)).leading_zeros() >= prefix
                })
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn public_addresses_are_public() {
        for address in [
            "1.1.1.1",
            "8.8.8.8",
            "172.32.0.1",
            "100.128.0.1",
            "192.167.255.255",
            "223.255.255.255",
        ] {
            assert!(is_public(address.parse().unwrap()), "{address}");
        }
        for address in ["2606:4700::1111", "2a00:1450::1", "2001:4860:4860::8888", "2001:200::1"] {
            assert!(is_public(address.parse().unwrap()), "{address}");
        }
    }

    #[test]
    fn all_other_addresses_are_not() {
        let v4 = [
            "0.0.0.0",
            "0.1.2.3",
            "10.0.0.1",
            "100.64.0.1",
            "100.127.255.255",
            "127.0.0.1",
            "127.8.8.8",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.8",
            "192.0.2.1",
            "192.88.99.1",
            "192.168.1.1",
            "198.18.0.1",
            "198.19.255.255",
            "198.51.100.7",
            "203.0.113.9",
            "224.0.0.1",
            "239.255.255.255",
            "240.0.0.1",
            "255.255.255.255",
        ];
        let v6 = [
            "::",
            "::1",
            "::ffff:127.0.0.1",
            "::ffff:8.8.8.8",
            "::127.0.0.1",
            "64:ff9b::7f00:1",
            "64:ff9b:1::1",
            "100::1",
            "fc00::1",
            "fd12::1",
            "fe80::1",
            "fec0::1",
            "ff02::1",
            "2001::1",
            "2001:db8::1",
            "2002:7f00:1::",
            "3fff::1",
            "4000::1",
        ];
        for address in v4.into_iter().chain(v6) {
            assert!(!is_public(address.parse().unwrap()), "{address}");
        }
    }
}
