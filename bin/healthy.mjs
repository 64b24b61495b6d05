// Ends with 0 when the server of this machine is ready for requests, for the health check of a container.
const { PORT = '3000' } = process.env
const ready = await fetch(`http://127.0.0.1:${PORT}/readyz`).then(
  ({ ok }) => ok,
  () => false,
)
process.exitCode = ready ? 0 : 1
