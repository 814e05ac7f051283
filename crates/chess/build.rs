//! Decides whether slider attacks are looked up by PEXT.
//!
//! BMI2 alone is not enough: AMD processors before Zen 3 have a `pext` so slow that magic
//! multiplication beats it. The build machine is asked, since BMI2 is only enabled where the
//! build targets the native processor or names one with a fast `pext`.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-check-cfg=cfg(fast_pext)");
    let features = std::env::var("CARGO_CFG_TARGET_FEATURE").unwrap_or_default();
    let has_bmi2 = features.split(',').any(|feature| feature == "bmi2");
    if has_bmi2 && !host_has_slow_pext() {
        println!("cargo:rustc-cfg=fast_pext");
    }
}

#[cfg(target_arch = "x86_64")]
fn host_has_slow_pext() -> bool {
    use std::arch::x86_64::__cpuid;
    const FIRST_AMD_FAMILY_WITH_FAST_PEXT: u32 = 0x19;
    let vendor = __cpuid(0);
    let is_amd = vendor.ebx == u32::from_le_bytes(*b"Auth");
    let signature = __cpuid(1).eax;
    let family = (signature >> 8 & 0xf) + (signature >> 20 & 0xff);
    is_amd && family < FIRST_AMD_FAMILY_WITH_FAST_PEXT
}

#[cfg(not(target_arch = "x86_64"))]
fn host_has_slow_pext() -> bool {
    false
}
