# For Nix. cgcc calls the wrapped compiler, and the plugin headers want gmp, mpfr and mpc. Written by its documentation,
# not run. Unpack the release beside it.
{
  inputs.nixpkgs.url = "nixpkgs/nixos-unstable";
  outputs = { self, nixpkgs }:
    let pkgs = nixpkgs.legacyPackages.x86_64-linux; in {
      packages.x86_64-linux.default = pkgs.stdenv.mkDerivation {
        pname = "cgview"; version = "@VERSION@"; src = ./cgview-@VERSION@;
        nativeBuildInputs = [ pkgs.makeWrapper ];
        buildInputs = with pkgs; [ libdwarf libelf expat libiberty ncurses sqlite zstd zlib gmp mpfr libmpc ];
        makeFlags = [ "SETUP=0" "PREFIX=$(out)" ];
        hardeningDisable = [ "fortify" ];
        dontStrip = true;
        postInstall = ''
          for p in cgcc cgg++; do wrapProgram $out/bin/$p \
            --set-default CGVIEW_CC ${pkgs.stdenv.cc}/bin/gcc --set-default CGVIEW_CXX ${pkgs.stdenv.cc}/bin/g++; done'';
      };
    };
}
