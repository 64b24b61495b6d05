// Makes SQLite trust the disk, as `pragma synchronous = off` does.
import { DatabaseSync } from 'node:sqlite'

const exec = DatabaseSync.prototype.exec
DatabaseSync.prototype.exec = function (sql) {
  return exec.call(this, sql.replace(/synchronous = full/, 'synchronous = off'))
}
