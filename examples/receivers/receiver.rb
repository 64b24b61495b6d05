require "openssl"

TOLERANCE_SECONDS = 300

# Whether a request came from the shop. `body` is the raw body, `headers` are by lower-case name.
def genuine?(body, headers, secret, now = Time.now.to_i)
  id, timestamp, signatures = headers.values_at("webhook-id", "webhook-timestamp", "webhook-signature")
  return false if (now - timestamp.to_i).abs > TOLERANCE_SECONDS

  key = secret.delete_prefix("whsec_").unpack1("m")
  expected = "v1," + [OpenSSL::HMAC.digest("SHA256", key, "#{id}.#{timestamp}.#{body}")].pack("m0")
  signatures.to_s.split(" ").any? { |given| OpenSSL.secure_compare(expected, given) }
end
