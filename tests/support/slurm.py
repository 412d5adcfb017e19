"""A Slurm of one machine for a test, on loopback, with a munge of its own where that is installed."""

import contextlib
import os
import shutil
import socket
import subprocess
import time

import runner

SLURM_CONF = """
ClusterName=sweep
SlurmctldHost=localhost
SlurmctldPort={controller}
SlurmdPort={daemon}
{authentication}
SlurmUser={user}
SlurmdUser={user}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
SchedulerParameters=sched_interval=2,batch_sched_delay=0
NodeName=localhost NodeHostname={host} NodeAddr=127.0.0.1 CPUs={cpus} State=UNKNOWN
PartitionName=sweep Nodes=localhost Default=YES MaxTime=INFINITE State=UP
"""


def free_port():
    with contextlib.closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def start_munge(folder):
    """A munged with a key of its own and the lines of slurm.conf that say so; without munge Slurm trusts everyone."""
    program = shutil.which("munged", path=os.environ["PATH"] + ":/usr/sbin")
    if not program:
        return None, "AuthType=auth/none\nCredType=cred/none"
    key, place = folder / "munge.key", folder / "munge.socket"
    key.write_bytes(os.urandom(128))
    key.chmod(0o600)
    names = {"key-file": key, "socket": place, "pid-file": folder / "munge.pid", "log-file": folder / "munge.log",
             "seed-file": folder / "munge.seed"}
    daemon = subprocess.Popen([program, "--foreground", "--force", *(f"--{name}={path}" for name, path in names.items())],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(40):
        if place.exists() or daemon.poll() is not None:
            break
        time.sleep(0.25)
    return daemon, f"AuthType=auth/munge\nAuthInfo=socket={place}\nCredType=cred/munge"


@contextlib.contextmanager
def cluster(folder):
    """A one-node Slurm on loopback; yields its environment, or None and why not."""
    needed = [shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin") for name in ("slurmctld", "slurmd", "srun", "sinfo")]
    if not all(needed):
        yield None, "slurm-wlm is not installed"
        return
    for name in ("state", "spool"):
        (folder / name).mkdir()
    folder.chmod(0o755)
    munge, authentication = start_munge(folder)
    configuration = folder / "slurm.conf"
    configuration.write_text(SLURM_CONF.format(
        folder=folder, authentication=authentication, controller=free_port(), daemon=free_port(), host=socket.gethostname().split(".")[0],
        user=subprocess.run(["id", "-un"], capture_output=True, text=True, check=True).stdout.strip(),
        cpus=os.cpu_count()))
    environment = dict(os.environ, SLURM_CONF=str(configuration))
    daemons = [munge] if munge else []
    try:
        for name in needed[:2]:
            daemons.append(subprocess.Popen([name, "-D", "-f", str(configuration)], env=environment,
                                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
        for _ in range(60):
            state = runner.run([needed[3], "-h", "-o", "%T"], env=environment).stdout.strip()
            if state.startswith("idle") or any(daemon.poll() is not None for daemon in daemons):
                break
            time.sleep(0.5)
        if not state.startswith("idle"):
            yield None, f"it did not start ({state or 'no answer'})"
        else:
            yield environment, ""
    finally:
        for daemon in reversed(daemons):
            daemon.terminate()
        for daemon in daemons:
            daemon.wait()
