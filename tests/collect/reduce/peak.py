"""peak.py COMMAND...: runs it; prints the most memory that it had, in kB."""
import resource, subprocess, sys

subprocess.run(sys.argv[1:], check=True)
usage = resource.getrusage(resource.RUSAGE_CHILDREN)
print(usage.ru_maxrss)
