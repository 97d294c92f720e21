/*
 * A Vulkan driver that misbehaves, for tests: -DCRASH_WHEN_LOADED, -DHANG_WHEN_LOADED, -DCRASH_AT_INSTANCE,
 * -DFAIL_AT_DEVICES, -DGARBAGE (one device, every property and feature 0xab) or -DCRASH_WHEN_OPENED (one device that says
 * it can do everything). Without Vulkan's headers: the few layouts used are written out (vk_icd.h, vulkan_core.h).
 */
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))
typedef void (*function)(void);

/* Dispatchable objects begin with the loader's magic. */
static uintptr_t instance_object[8] = {0x01CDC0DE};
static uintptr_t device_object[8] = {0x01CDC0DE};

static void crash(void) { signal(SIGSEGV, SIG_DFL); raise(SIGSEGV); }

#if defined(CRASH_WHEN_LOADED)
__attribute__((constructor)) static void loaded(void) { crash(); }
#elif defined(HANG_WHEN_LOADED)
__attribute__((constructor)) static void loaded(void) { for (;;) pause(); }
#endif

static int32_t create_instance(const void *info, const void *allocator, void **out) {
#ifdef CRASH_AT_INSTANCE
  crash();
#endif
  *out = instance_object;
  return 0;
}

static int32_t enumerate_devices(void *instance, uint32_t *count, void **out) {
#ifdef FAIL_AT_DEVICES
  return -3; /* VK_ERROR_INITIALIZATION_FAILED */
#endif
  if (out) out[0] = device_object;
  *count = 1;
  return 0;
}

/* struct { int32_t sType; void *pNext; … } */
struct chain { int32_t type; struct chain *next; };
enum { VULKAN_1_2_FEATURES = 51, FEATURES_12_BYTES = 188, PROPERTIES_BYTES = 824, FEATURES_BYTES = 220 };

/* VkPhysicalDeviceProperties: apiVersion, driverVersion, vendorID, deviceID, deviceType (2: discrete), deviceName. */
static void get_properties(void *device, uint32_t *out) {
#ifdef GARBAGE
  memset(out, 0xab, PROPERTIES_BYTES);
#else
  memset(out, 0, PROPERTIES_BYTES);
  out[0] = (1u << 22) | (3u << 12);
  out[4] = 2;
  strcpy((char *)(out + 5), "Promising GPU");
#endif
}
static void get_properties2(void *device, struct chain *out) { get_properties(device, (uint32_t *)(out + 1)); }

static void get_features(void *device, void *out) { memset(out, 0xab, FEATURES_BYTES); }
static void get_features2(void *device, struct chain *out) {
  get_features(device, out + 1);
  for (struct chain *c = out->next; c; c = c->next)
    if (c->type == VULKAN_1_2_FEATURES) memset(c + 1, 0xab, FEATURES_12_BYTES);
}

static int32_t no_extensions(void *layer, uint32_t *count) { *count = 0; return 0; }
static int32_t no_device_extensions(void *device, void *layer, uint32_t *count) { *count = 0; return 0; }
static void one_queue_family(void *device, uint32_t *count, uint32_t *out) {
  if (out && *count) memset(out, 0xff, 24);
  *count = 1;
}
static int32_t create_device(void *device, const void *info, const void *allocator, void **out) {
  crash();
  return -3;
}
/* Everything else: success, and nothing done. */
static int32_t nothing(void) { return 0; }

static function find(const char *name) {
  static const struct { const char *name; function function; } known[] = {
    {"vkCreateInstance", (function)create_instance},
    {"vkEnumeratePhysicalDevices", (function)enumerate_devices},
    {"vkGetPhysicalDeviceProperties", (function)get_properties},
    {"vkGetPhysicalDeviceProperties2", (function)get_properties2},
    {"vkGetPhysicalDeviceFeatures", (function)get_features},
    {"vkGetPhysicalDeviceFeatures2", (function)get_features2},
    {"vkGetPhysicalDeviceQueueFamilyProperties", (function)one_queue_family},
    {"vkEnumerateInstanceExtensionProperties", (function)no_extensions},
    {"vkEnumerateDeviceExtensionProperties", (function)no_device_extensions},
    {"vkCreateDevice", (function)create_device},
    {"vkEnumerateInstanceVersion", 0},
    {"vkEnumeratePhysicalDeviceGroups", 0},
    {"vkEnumeratePhysicalDeviceGroupsKHR", 0},
  };
  for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
    if (strcmp(known[i].name, name) == 0) return known[i].function;
  return (function)nothing;
}

EXPORT function vk_icdGetInstanceProcAddr(void *instance, const char *name) { return find(name); }
EXPORT function vk_icdGetPhysicalDeviceProcAddr(void *instance, const char *name) { return 0; }
EXPORT int32_t vk_icdNegotiateLoaderICDInterfaceVersion(uint32_t *version) {
  if (*version > 5) *version = 5;
  return 0;
}
