# MPI programs on this machine, with any number of ranks. MPICC and MPIRUN choose among several MPIs. Sourced behind
# tests/e2e/lib.sh; the script skips where there is none.
mpicc=${MPICC:-mpicc} mpirun=${MPIRUN:-mpirun}
need "$mpicc" "$mpirun"
case $("$mpirun" --version 2>&1) in
*'Open MPI'* | *OpenRTE*) mpi_options="--oversubscribe"; [ "$(id -u)" != 0 ] || mpi_options+=" --allow-run-as-root" ;;
*) mpi_options= ;;
esac
unset CGVIEW_RANK PMIX_RANK OMPI_COMM_WORLD_RANK PMI_RANK SLURM_PROCID MV2_COMM_WORLD_RANK

# mpi N PROGRAM...
mpi() { local n=$1; shift; "$mpirun" $mpi_options -n "$n" "$@"; }

# mpi_bin FOLDER: mpicc and mpirun as docs/many.md calls them.
mpi_bin()
{
	mkdir -p "$1"
	printf '#!/bin/sh\nexec "%s" %s "$@"\n' "$(command -v "$mpirun")" "$mpi_options" > "$1/mpirun"
	chmod +x "$1/mpirun"
	ln -s "$(command -v "$mpicc")" "$1/mpicc"
}
