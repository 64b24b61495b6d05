# The host's description of the API. `tools` contains one hash per operation, with symbols as keys, but strings inside `:parameters` and
# `:request_body`. `resources` contains one hash per resource. All keys can be read as strings and as symbols.
module Sandbox
  class Tool < Hash
    # Finds a symbol key by its string.
    def default(key = nil)
      return self[key.to_sym] if String === key && has_key?(key.to_sym)
      Run.current.missed[key] = self if Run.current
      nil
    end

    def fetch(key, *rest, &block) = super(String === key ? key.to_sym : key, *rest, &block)
    def key?(key) = super(String === key ? key.to_sym : key)
  end

  TOOLS = Answer.parse(Bridge.ask("T")).map do |row|
    Tool.new.update(row.transform_keys(&:to_sym))
  end

  # A resource of the shop. Its keys can also be read as symbols.
  class Resource < Answer; end
  class Resources < Resource; end

  RESOURCES = Resources.new.update(Resource.parse(Bridge.ask("N")))
end
