"use strict";
// Names that a subject looks up: the machine's own are left alone, those of `hosts` lead to the trial, no other exists.

const dns = require("node:dns");
const net = require("node:net");
const os = require("node:os");

const LOOPBACK = new Set(["", "localhost", "localhost.localdomain", "ip6-localhost", "ip6-loopback"]);

/**
 * Names of `hosts` resolve into this network, one address each, and a connect to it goes to the trial's port. So it
 * does not matter whether a client looks a name up itself, as got can, or leaves that to the socket.
 */
const STAND_IN = "127.83.0.";

/** Look-ups that ask a name server themselves, by c-ares: what they are called, and in their errors. */
const QUERIES = new Map([
  ["resolve", "queryA"],
  ["resolve4", "queryA"],
  ["resolve6", "queryAaaa"],
  ["reverse", "getHostByAddr"],
  ...["Any", "Caa", "Cname", "Mx", "Naptr", "Ns", "Ptr", "Soa", "Srv", "Tlsa", "Txt"].map((kind) => [
    `resolve${kind}`,
    `query${kind}`,
  ]),
]);

const later = process.nextTick;

/** A thread's look-ups. `other` is told of names that are nobody's. */
class Names {
  #shared;
  #other;
  #standIns = null;

  constructor(shared, other) {
    this.#shared = shared;
    this.#other = other;
  }

  /** The host behind a name or address of `hosts`, and our ports that stand for its own. */
  standIn(host) {
    const order = this.#shared.order;
    if (order === null) return undefined;
    if (this.#standIns === null) {
      this.#standIns = new Map();
      Object.entries(order.hosts).forEach(([name, [, http, https]], number) => {
        const known = { host: name, address: `${STAND_IN}${number + 1}`, ports: { 80: http, 443: https } };
        this.#standIns.set(nameOf(name), known).set(known.address, known);
      });
    }
    return this.#standIns.get(host);
  }

  /** Whether a name is this machine's own. */
  isLoopback(host) {
    return LOOPBACK.has(host) || host === os.hostname().toLowerCase();
  }

  /** The error for a name that does not exist, as Node words it. */
  unknown(hostname) {
    const error = new Error(`getaddrinfo ENOTFOUND ${hostname}`);
    return Object.assign(error, { errno: -3008, code: "ENOTFOUND", syscall: "getaddrinfo", hostname });
  }

  install() {
    const { lookup } = dns;
    const promised = dns.promises.lookup;
    dns.lookup = like(lookup, (hostname, options, callback) => {
      const found = this.#found(hostname);
      if (found === null) return callback === undefined ? lookup(hostname, options) : lookup(hostname, options, callback);
      const [settings, answer] = typeof options === "function" ? [{}, options] : [options, callback];
      if (found instanceof Error) later(answer, found);
      else if (settings?.all) later(answer, null, [found]);
      else later(answer, null, found.address, found.family);
      return {};
    });
    dns.promises.lookup = async (hostname, options) => {
      const found = this.#found(hostname);
      if (found === null) return promised(hostname, options);
      if (found instanceof Error) throw found;
      return options?.all ? [found] : found;
    };
    this.#refuseQueries();
  }

  /** The address of a name of `hosts`, the error of one that is nobody's; null where the system is to be asked. */
  #found(hostname) {
    const name = nameOf(hostname);
    if (this.#shared.order !== null && this.standIn(name) !== undefined) {
      return { address: this.standIn(name).address, family: 4 };
    }
    if (literal(name) || this.isLoopback(name)) return null;
    this.#other(name);
    return this.unknown(name);
  }

  #refuseQueries() {
    const error = (syscall, hostname) => {
      this.#other(nameOf(hostname));
      const refused = new Error(`${syscall} ECONNREFUSED ${hostname}`);
      return Object.assign(refused, { code: "ECONNREFUSED", syscall, hostname });
    };
    for (const [name, query] of QUERIES) {
      for (const holder of [dns, dns.Resolver.prototype]) {
        if (!(name in holder)) continue;
        holder[name] = (hostname, ...rest) => later(rest.at(-1), error(query, hostname));
      }
      for (const holder of [dns.promises, dns.promises.Resolver.prototype]) {
        if (!(name in holder)) continue;
        holder[name] = async (hostname) => {
          throw error(query, hostname);
        };
      }
    }
  }
}

/** `replacement` with what else hangs on `original`: how util.promisify is to read its answer. */
function like(original, replacement) {
  const { length, name, prototype, ...others } = Object.getOwnPropertyDescriptors(original);
  return Object.defineProperties(replacement, others);
}

function nameOf(host) {
  return typeof host === "string" ? host.replace(/\.$/, "").toLowerCase() : "";
}

/** Whether a host is an address. */
function literal(host) {
  return net.isIP(host.split("%")[0]) !== 0;
}

module.exports = { Names, literal, nameOf };
