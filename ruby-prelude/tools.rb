# The host's description of the API. `tools` has one hash per operation, with symbol keys and, inside `:parameters` and `:request_body`,
# string keys; `resources` has one hash per resource. All keys answer to strings and symbols.
module Sandbox
  class Tool < Hash
    # Lets a string find the symbol key, too.
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

  # The shop's resources by name. Their keys also answer to symbols.
  class Resource < Answer; end
  class Resources < Resource; end

  RESOURCES = Resources.new.update(Resource.parse(Bridge.ask("N")))
end
