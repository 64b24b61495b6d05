# The request methods. `Object` includes them, so that a program's own classes can use them as well.
module Sandbox
  # Ends the program: the host has already noted why.
  class Stop < Exception; end

  module Requests
    IN_SEARCH = "code_search has no request methods; use code_execute."
    PUT = "There is no put; use patch, which changes the fields that it is given."

    class << self
      attr_accessor :allowed
    end

    def self.call(method, path, positional, named)
      raise Forbidden, IN_SEARCH unless allowed
      verb = method.downcase
      raise ArgumentError, "#{verb} needs a path such as \"/products\", not #{Plain::CLASS.bind_call(path)}" unless String === path
      unless positional.nil? || Hash === positional
        raise ArgumentError, "#{verb} takes a hash after its path, not #{Plain::CLASS.bind_call(positional)}"
      end
      send_to_host(method: method, path: path, params: params(positional, named), line: line)
    end

    def self.params(positional, named)
      Plain.new("params").convert((positional || {}).to_h.merge(named))
    rescue InvalidResult => error
      raise ArgumentError, error.message
    end

    def self.send_to_host(request)
      reply = Bridge.ask("C#{JSON.generate(request)}")
      raise Stop, reply[1..] unless reply.start_with?("A")
      Answer.parse(reply.byteslice(1, reply.bytesize))
    end

    def self.line
      frame = caller_locations(3, 1)&.first
      frame = caller_locations(3).find { |place| place.path == "program" } unless frame&.path == "program"
      frame&.lineno
    end

  end

  # What the program itself can call.
  module Surface
    private

    def get(path, params = nil, **named) = Requests.call("GET", path, params, named)
    def post(path, params = nil, **named) = Requests.call("POST", path, params, named)
    def patch(path, params = nil, **named) = Requests.call("PATCH", path, params, named)
    def delete(path, params = nil, **named) = Requests.call("DELETE", path, params, named)
    def put(*, **) = raise(Forbidden, Requests.allowed ? Requests::PUT : Requests::IN_SEARCH)
    def tools = TOOLS

    # What a program may ask for is already loaded.
    def require(name)
      return false if %w[json set time date pp].include?(name)
      raise Forbidden, Removed::LOADING
    end

    def warn(*messages, **) = $stderr.puts(*messages)
    def pp(*values) = $stdout.p(*values)
  end

  HIDDEN = %i[get post patch delete put tools require warn pp].freeze
  Object.include(Surface)
end
