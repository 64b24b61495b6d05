// Leaves out the fsync of directories, so that a new name of a file may be lost.
import promises from 'node:fs/promises'

const probe = await promises.open(process.execPath)
const FileHandle = Object.getPrototypeOf(probe)
await probe.close()
const sync = FileHandle.sync
FileHandle.sync = async function () {
  if ((await this.stat()).isFile()) await sync.call(this)
}
