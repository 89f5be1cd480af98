// Command skelgo runs the applications that are written with skeletons, and
// shows the devices that they can run on.
package main
