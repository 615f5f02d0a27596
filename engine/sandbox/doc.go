// Package sandbox runs scripts in other processes, so that nothing that a
// script does can stop this one, hold its memory, or reach what it can reach.
//
// A [Pool] offers the tools of an image and sends each call to one of its
// workers; [Load] has a worker of its own make that image from a directory.
// Workers are this program, started once more: [RunWorker] makes it one. They
// ask for every effect, and the pool's policy performs it.
//
// What a worker sends is read as what a stranger sends: sizes, depth and counts
// are capped while it is decoded, and its meaning is checked before any of it
// reaches a client.
package sandbox
