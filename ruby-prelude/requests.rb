# The methods for API requests. `Object` includes them, so that the classes of a program can use them, too.
module Sandbox
  # Raised to end the program. The host has already recorded the reason.
  class Stop < Exception; end

  module Requests
    IN_SEARCH = "code_search has no request methods; use code_execute."
    PUT = "There is no put; use patch, which changes the fields that it is given."

    def self.call(method, path, positional, named)
      check(method.downcase, path, positional)
      in_query = method == "GET" || method == "DELETE"
      send_to_host(method: method, path: path, params: in_query ? filters(positional, named) : params(positional, named), line: line)
    end

    # Calls an operation that only a Ruby helper can use. `named` contains the arguments of the helper; nil marks an omitted one.
    def self.word(path, named, method = "GET")
      raise Forbidden, IN_SEARCH unless Run.current.may_request?
      send_to_host(method: method, path: path, params: filters(nil, named.compact), line: line, word: true)
    end

    # Checks an id that a Ruby helper puts into a path.
    def self.id(word, given)
      raise ArgumentError, "#{word} needs an id, not #{Plain::CLASS.bind_call(given)}" unless String === given
      given
    end

    def self.check(verb, path, positional)
      raise Forbidden, IN_SEARCH unless Run.current.may_request?
      raise ArgumentError, "#{verb} needs a path such as \"/products\", not #{Plain::CLASS.bind_call(path)}" unless String === path
      return if positional.nil? || Hash === positional
      raise ArgumentError, "#{verb} takes a hash after its path, not #{Plain::CLASS.bind_call(positional)}"
    end

    # Like `params`, but converts ranges to filters with bounds: `amount: 1000..5000`.
    def self.filters(positional, named)
      given = (positional || {}).merge(named)
      params(given.transform_values { |value| Range === value ? bounds(value) : value }, {})
    end

    def self.bounds(range)
      upper = range.exclude_end? ? :lt : :lte
      { gte: range.begin, upper => range.end }.compact
    end

    def self.params(positional, named)
      together = positional && !named.empty? ? positional.merge(named) : positional || named
      ParameterPlain.new("params").convert(together)
    rescue InvalidResult => error
      raise ArgumentError, error.message
    end

    # The first character of the reply says whether it is a response, a refusal, or the end of the program.
    def self.send_to_host(request)
      reply = Bridge.ask("C#{JSON.generate(request)}")
      return Answer.parse(reply.byteslice(1, reply.bytesize)) if reply.start_with?("A")
      return Refusal.read(reply, request) if reply.start_with?("F")
      raise Stop, reply[1..]
    end

    def self.line
      frame = caller_locations(3, 1)&.first
      frame = caller_locations(3).find { |place| place.path == "program" } unless frame&.path == "program"
      frame&.lineno
    end
  end

  module Surface
    private

    def get(path, params = nil, **named) = Requests.call("GET", path, params, named)
    def post(path, params = nil, **named) = Requests.call("POST", path, params, named)
    def patch(path, params = nil, **named) = Requests.call("PATCH", path, params, named)
    def delete(path, params = nil, **named) = Requests.call("DELETE", path, params, named)
    def put(*, **) = raise(Forbidden, Run.current.may_request? ? Requests::PUT : Requests::IN_SEARCH)
    def list(path, filters = nil, **named, &block) = List.open(path, filters, named).each(&block)
    def each_batch(rows = nil, of: Batch::USUAL, &block) = Batch.run(rows, of, &block)
    def tools = TOOLS
    def resources = RESOURCES
    def describe(*what) = Describe.answer(what)
    def report(**named) = Requests.word("/reports", named)
    def find_anything(query, kind: nil, limit: nil)
      Requests.word("/search", { query: query, kind: kind, limit: limit })["data"]
    end
    def resend(delivery) = Requests.word("/webhook_events/#{Requests.id("resend", delivery)}/resend", {}, "POST")
    def charge_now(subscription)
      Requests.word("/payment_attempts", { subscription: Requests.id("charge_now", subscription) }, "POST")
    end
    def table(rows, *columns) = Table.text(rows, columns)

    # Does nothing for libraries that programs may require, because they are already loaded.
    def require(name)
      return false if %w[json set time date pp].include?(name)
      raise Forbidden, Removed::LOADING
    end

    def warn(*messages, **) = $stderr.puts(*messages)
    def pp(*values) = $stdout.p(*values)
  end

  HIDDEN = %i[
    get list each_batch post patch delete put tools resources describe find_anything resend charge_now report table rehearse local in_zone day week month year require warn pp
  ].freeze
  Object.include(Surface)
end
