import { parentPort, workerData } from 'node:worker_threads'
import { type BuildInput, buildSnapshot } from './snapshot-builder.ts'

const build = await buildSnapshot(workerData as BuildInput)
parentPort?.postMessage(build, [build.module.buffer])
