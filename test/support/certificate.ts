import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto'

const ECDSA_WITH_SHA256 = [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02]
const COMMON_NAME = [0x55, 0x04, 0x03]
const BASIC_CONSTRAINTS = [0x55, 0x1d, 0x13]
const SUBJECT_ALT_NAME = [0x55, 0x1d, 0x11]
const DAY_MS = 24 * 60 * 60 * 1000

/** A fresh key with a certificate of its own for localhost and 0.0.0.0, valid for a day. */
export function ownCertificate(): { key: string; cert: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  const content = contentOf(publicKey)
  const signature = sign('sha256', content, createPrivateKey(privateKey))
  const der = sequence(content, algorithm(), element(0x03, Buffer.from([0]), signature))
  const lines = der.toString('base64').match(/.{1,64}/g)!
  return { key: privateKey, cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n` }
}

/** The part that is signed (RFC 5280, `TBSCertificate`). */
function contentOf(publicKey: Buffer): Buffer {
  const version3 = element(0xa0, element(0x02, Buffer.from([2])))
  const serial = element(0x02, Buffer.from([1]))
  const name = sequence(element(0x31, sequence(identifier(COMMON_NAME), element(0x0c, Buffer.from('localhost')))))
  const validity = sequence(time(Date.now() - DAY_MS), time(Date.now() + DAY_MS))
  return sequence(version3, serial, algorithm(), name, validity, name, publicKey, extensions())
}

function extensions(): Buffer {
  const itself = sequence(element(0x01, Buffer.from([0xff])))
  const names = sequence(element(0x82, Buffer.from('localhost')), element(0x87, Buffer.from([0, 0, 0, 0])))
  const all = [extension(BASIC_CONSTRAINTS, itself), extension(SUBJECT_ALT_NAME, names)]
  return element(0xa3, sequence(...all))
}

function extension(id: number[], value: Buffer): Buffer {
  return sequence(identifier(id), element(0x04, value))
}

function algorithm(): Buffer {
  return sequence(identifier(ECDSA_WITH_SHA256))
}

function identifier(bytes: number[]): Buffer {
  return element(0x06, Buffer.from(bytes))
}

function time(at: number): Buffer {
  const digits = new Date(at).toISOString().replace(/\D/g, '').slice(2, 14)
  return element(0x17, Buffer.from(`${digits}Z`))
}

function sequence(...parts: Buffer[]): Buffer {
  return element(0x30, ...parts)
}

/** Tag, length and content of one element in DER. */
function element(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
