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
