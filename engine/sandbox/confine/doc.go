// Package confine is what a worker process and its parent do with the operating
// system: the parent starts, watches and ends processes of its own executable,
// and such a process takes away from itself what a script's interpreter has no
// need of, before it looks at the first script. It knows nothing of what the two
// say to each other.
//
// A parent calls [Start] and talks through [Process.To] and [Process.From]. The
// process calls [Self] first thing in main, and is a worker from then on. What a
// system cannot bound is told as [Lacking], so that the parent can make up for
// it or say so.
//
// # What is bounded by what
//
// On Linux:
//   - Memory: RLIMIT_AS, and RLIMIT_DATA, which counts only what can be written
//     to: what the process had, Bounds.Memory and 192 MiB. A system without
//     RLIMIT_DATA for mappings (before Linux 4.7) has, in a program with a C
//     library, 2 GiB more address space to offer. Go ends a process that gets no
//     memory: [OutOfMemory]. When the machine itself has none left, the kernel is
//     told to take workers first.
//   - Stack: Go's own limit, [StackOverflow].
//   - Processor time: RLIMIT_CPU, over the whole life, to the second:
//     [KilledByOther].
//   - Files and sockets: no descriptor is left but the pipes, stderr and two that
//     timers wait on, and RLIMIT_NOFILE allows no other. Also, files have size 0
//     at most, and there are no core files.
//   - All else: a seccomp filter, in force for every thread, that lets through
//     what Go's runtime needs and what reads and writes open descriptors, and
//     answers any other system call with EPERM. Memory cannot be made executable,
//     threads can be made but no processes, signals go to the process itself.
//     There is one on amd64 and arm64, and there it is an error if the kernel
//     refuses it. Elsewhere, and with Bounds.Unfiltered, a broken interpreter
//     could still run programs and reach files by name without opening them.
//   - Privileges cannot be gained, and processes of the same user can neither
//     trace a worker nor read its memory.
//   - Death with the parent: PR_SET_PDEATHSIG, from a thread of the parent that
//     never ends.
//
// On macOS only descriptors, file size, core files and processes are limited,
// the last not for root; a goroutine ends the worker after its parent. Memory
// and processor time are left to the parent, and there is no filter.
//
// On Windows jobs bound committed memory, user processor time and the number of
// processes to one, and end workers with their parent. Files and sockets are not
// bounded, nor are system calls.
//
// On other systems only Go's limit on stacks is in force.
//
// What is nowhere bounded: a broken interpreter can tell the time, and learn by
// it what the processor's caches give away about others; it can write what it
// likes to its parent, which is to believe none of it, [Death.Note] included. The
// filter trusts the kernel with the calls that it lets through.
package confine
