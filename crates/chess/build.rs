//! Decides whether slider attacks are looked up by PEXT.
//!
//! BMI2 alone is not enough: AMD processors before Zen 3, and Hygon's, have a `pext` so slow that magic
//! multiplication beats it. The build machine is asked, which is the one that a build for the native
//! processor is for. A build for another one with BMI2 takes what is best here; for all processors there is
//! `make portable`, which does without.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-check-cfg=cfg(fast_pext)");
    let features = std::env::var("CARGO_CFG_TARGET_FEATURE").unwrap_or_default();
    let is_64_bit = std::env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|arch| arch == "x86_64");
    let has_bmi2 = features.split(',').any(|feature| feature == "bmi2");
    if is_64_bit && has_bmi2 && !host_has_slow_pext() {
        println!("cargo:rustc-cfg=fast_pext");
    }
}

#[cfg(target_arch = "x86_64")]
fn host_has_slow_pext() -> bool {
    use std::arch::x86_64::__cpuid;
    const FIRST_AMD_FAMILY_WITH_FAST_PEXT: u32 = 0x19;
    let vendor = __cpuid(0);
    // AuthenticAMD, HygonGenuine.
    let is_amd = [*b"Auth", *b"Hygo"].map(u32::from_le_bytes).contains(&vendor.ebx);
    let signature = __cpuid(1).eax;
    let family = (signature >> 8 & 0xf) + (signature >> 20 & 0xff);
    is_amd && family < FIRST_AMD_FAMILY_WITH_FAST_PEXT
}

#[cfg(not(target_arch = "x86_64"))]
fn host_has_slow_pext() -> bool {
    false
}
