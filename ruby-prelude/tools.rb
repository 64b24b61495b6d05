# The catalogue: one hash per operation with symbol keys, and string keys inside `:parameters` and `:request_body`.
module Sandbox
  class Tool < Hash
    # A string finds the symbol key too.
    def default(key = nil)
      String === key && (symbol = key.to_sym) && has_key?(symbol) ? self[symbol] : nil
    end

    def fetch(key, *rest, &block) = super(String === key ? key.to_sym : key, *rest, &block)
    def key?(key) = super(String === key ? key.to_sym : key)
  end

  TOOLS = JSON.parse(Bridge.ask("T")).map do |row|
    Tool.new.update(row.transform_keys(&:to_sym))
  end
end
